import { bodyFormOf, coverageOf } from '../content.ts';
import type { OddDelivery } from '../discovery.ts';
import { bodyForms } from '../read/body-forms.ts';
import { bounds } from '../read/bounds.ts';
import { keysOf } from '../read/keys.ts';
import type { Scene } from '../scene.ts';
import type { Scheme } from '../scheme.ts';
import { verifyRead } from '../verify.ts';
import { createBudget } from './budget.ts';
import { signatureTokens } from './diagnose.ts';
import { findOtherAlgorithms } from './other-algorithms.ts';
import { searchUsual } from './search.ts';

interface OddOptions {
  readonly otherSecrets: readonly string[];
  /** Whether to search for what the delivery is signed with instead. */
  readonly deep: boolean;
}

/** How a delivery that the scheme does not verify differs from the others. */
export function describeOdd(
  index: number,
  scene: Scene,
  scheme: Scheme,
  secret: string,
  { otherSecrets, deep }: OddOptions,
): OddDelivery {
  const say = (difference: OddDelivery['difference'], text: string): OddDelivery => ({
    index,
    difference,
    message: `Delivery ${index + 1} ${text}`,
  });
  const result = verifyRead(scheme, scene, secret);
  if (signatureTokens(scene).length === 0) {
    return say('unsigned', 'carries no signature');
  }
  if (otherSecrets.some((other) => verifyRead(scheme, scene, other).verified)) {
    return say('other-secret', 'is signed with the secret of another webhook');
  }
  const mismatch = say('mismatch', `does not verify: ${result.verified ? 'no difference found' : result.reason}`);
  if (!deep) {
    return mismatch;
  }
  const budget = createBudget(bounds.hmacs / 4, bounds.hashedBytes / 4);
  const [match] = searchUsual({ scene, keys: keysOf(secret), budget });
  if (match !== undefined) {
    const form = bodyFormOf(match);
    const covered = coverageOf({ content: match.content, signature: match.token });
    if (covered === 'none') {
      return say('body-not-covered', 'has a signature that leaves its body out');
    }
    return covered === 're-serialised' && form !== undefined
      ? say('re-serialised', `is signed over a text other than the body sent: the ${bodyForms[form].words}`)
      : say('other-scheme', 'is signed in another way than the rest');
  }
  const other = findOtherAlgorithms(scene, secret).find(({ unkeyed }) => !unkeyed);
  if (other !== undefined) {
    return say('other-algorithm', `is signed with ${other.algorithm}`);
  }
  return mismatch;
}
