import { show } from '../../../../common/schema.ts';
import { type Environment, keyPrefix, scopes } from '../../../../contract/scopes.ts';
import { keyBody } from '../../../../fixtures/developer-bodies.ts';
import { createTally, type Outcome } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { givenKey, mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { createKey, keyName } from '../keys/create-key.ts';
import { deleteIfMade } from '../keys/drop-key.ts';
import type { FoundSecret } from '../keys/find-secrets.ts';
import { firstKey } from '../keys/first-key.ts';
import { makerFor } from '../keys/key-makers.ts';
import { liveKey } from '../keys/lasting-keys.ts';
import { makeKey, standingKey } from '../keys/make-key.ts';
import { type RunKey, secretIn } from '../keys/run-key.ts';
import { newLiveKey } from './live-key.ts';

/** A created key begins with the prefix of the environment that was asked for, whichever key makes it. */
export async function judgePrefix(session: Session, environment: Environment): Promise<Outcome> {
  const tally = createTally();
  const { key, record, places } = await (environment === 'live' ? newLiveKey(session) : newSandboxKey(session));
  tally.judge(prefixFinding(record.answer, environment, { secret: key.secret, pointer: places.secret }));
  // The document does not say whether a key may make keys of the other environment.
  const answer = await resultOrNull(creationByOtherEnvironment(session, environment));
  const secret = answer?.accepted ? secretIn(answer) : undefined;
  if (answer && secret !== undefined) {
    tally.judge(prefixFinding(answer, environment, secret, 'asked for with a key of the other environment'));
  }
  return tally.outcome();
}

const newSandboxKey = (session: Session): Promise<RunKey> =>
  mainKey(session).environment === 'sandbox'
    ? firstKey(session)
    : makeKey(session, 'sandbox', scopes, { environment: 'sandbox' });

/**
 * The answer to a creation by a key of the other environment; what it makes is deleted. null: without a given live key,
 * the sandbox key made the live one that is judged already. Throws Skipped where WRITES forbids it.
 */
async function creationByOtherEnvironment(session: Session, environment: Environment): Promise<Answer | null> {
  if (environment === 'live' && givenKey(session, 'LIVE_API_KEY') === undefined) {
    return null;
  }
  const { key } = await (environment === 'live' ? standingKey(session) : liveKey(session));
  const tag = await keyName(session, `${environment} by another`);
  const body = keyBody(tag, environment, scopes);
  // Keys may see only those of their own environment, or only those that they made.
  const maker = makerFor(session, environment);
  const attempt = await createKey(session, { tag, body, key, maker });
  await deleteIfMade(session, attempt, maker, key);
  return attempt.answer;
}

function prefixFinding(
  answer: Answer,
  environment: Environment,
  { secret, pointer }: FoundSecret,
  how?: string,
): Finding | null {
  const prefix = keyPrefix[environment];
  return secret.startsWith(prefix)
    ? null
    : findingOn(answer, {
        message: `New ${environment} key${how === undefined ? '' : `, ${how},`} does not begin with ${prefix}`,
        expected: `a key that starts with ${prefix}`,
        actual: show(secret.slice(0, Math.min(9, secret.length >> 2))),
        place: pointer,
      });
}
