import { decide } from '../../common/decide.ts';
import { at, scalarText } from '../../common/json.ts';
import { mismatch } from '../verify/verify.mjs';
import { bounds, type Delivery } from './delivery.ts';
import { contentFormula, type Discovery, type Explained, type OddDelivery, oddWords } from './describe.ts';
import { explainNothingFound, notesOn, signatureTokens } from './diagnose.ts';
import { wrongSecret } from './keys.ts';
import { canonicalWords } from './other-texts.ts';
import type { Part, Scheme } from './scheme.ts';
import { type Candidate, fits, layOut, type Scene, search } from './search.ts';
import { macBytes } from './tokens.ts';

interface DiscoverOptions {
  /** Secrets of other webhooks. A delivery that is signed with one of them is reported as `other-secret`. */
  readonly otherSecrets?: readonly string[];
  /** Keys that a sender may mistake for the secret, by what they are: `the API key`. */
  readonly mistakenKeys?: Readonly<Record<string, string>>;
  /** A bound on the search. */
  readonly maxHmacs?: number;
}

/** How the deliveries of one webhook are signed, and with which of the secrets. */
interface Signing {
  readonly secret: string;
  readonly discovery: Discovery;
}

/**
 * Finds out how deliveries are signed. Takes the deliveries of one webhook and its secret; two or more that differ in body,
 * id and second leave no doubt. Throws nothing; no text in the answer shows the secret.
 */
export const discoverScheme = (
  deliveries: readonly Delivery[],
  secret: string,
  options: DiscoverOptions = {},
): Discovery => discoverAmong(deliveries, [secret], options).discovery;

/** Like `discoverScheme`, if the secret is one of several, likeliest first: at least one. The bound is for all of them. */
export function discoverAmong(
  deliveries: readonly Delivery[],
  secrets: readonly string[],
  options: DiscoverOptions = {},
): Signing {
  const scenes = deliveries.map(layOut);
  const tried: Signing[] = [];
  for (const secret of secrets) {
    const discovery = discoverIn(scenes, secret, options, (options.maxHmacs ?? bounds.hmacs) / secrets.length);
    tried.push({ secret, discovery });
    if (discovery.kind === 'verified') {
      break;
    }
  }
  const most =
    tried.at(-1)?.discovery.kind === 'verified' ? tried.at(-1) : tried.find((one) => 'scheme' in one.discovery);
  return (most ?? tried.find(({ discovery }) => discovery.kind === 'other-algorithm') ?? tried[0]) as Signing;
}

interface Counted extends Candidate {
  readonly fitting: readonly Scene[];
}

/** The schemes that verify deliveries under a secret: first one that verifies them all, else one that is right. */
function schemesUnder(secret: string, scenes: readonly Scene[], most: number): Counted[] {
  // Most deliveries may be signed wrongly.
  const rankOf = ({ scheme, other, fitting }: Counted): number =>
    Number(fitting.length === scenes.length) * 2 +
    Number(other === undefined && fitting.every((scene) => coversBody(scheme, scene)));
  const counted = (candidates: readonly Candidate[]): Counted[] =>
    candidates
      .filter((one) => !scenes.some((scene) => fits(one, scene, wrongSecret(secret))))
      .map((one) => ({ ...one, fitting: scenes.filter((scene) => fits(one, scene, secret)) }))
      .filter(({ fitting }) => fitting.length > 0)
      .sort((one, other) => rankOf(other) - rankOf(one) || other.fitting.length - one.fitting.length);
  let found: Counted[] = [];
  const searched = new Set<Scene>();
  const isOpen = (scene: Scene): boolean =>
    scene.tokens.length > 0 && !searched.has(scene) && !found.some(({ fitting }) => fitting.includes(scene));
  // The first one, the last one, since the secret may change meanwhile, and one between.
  for (const place of [0, -1, 0]) {
    const scene = scenes.filter(isOpen).at(place);
    if (scene !== undefined) {
      // Where all that is unusual was tried on one, usual contents are enough.
      const bound = searched.size > 0 && found.length === 0 ? most / 4 : most;
      found = counted([...found, ...search(scene, secret, bound)]);
      searched.add(scene);
    }
  }
  return found;
}

function discoverIn(
  scenes: readonly Scene[],
  secret: string,
  { otherSecrets = [], mistakenKeys = {} }: DiscoverOptions,
  most: number,
): Discovery {
  let found: readonly Counted[] = [];
  for (const [index, one] of [secret, ...otherSecrets].entries()) {
    found = found.length > 0 ? found : schemesUnder(one, scenes, index === 0 ? most : most / 4 / otherSecrets.length);
  }
  const [best, ...others] = found;
  if (best === undefined) {
    return explainNothingFound(scenes, secret, mistakenKeys);
  }
  const { scheme, other } = best;
  const formula = contentFormula(scheme);
  const odd = oddAmong(scenes, secret, otherSecrets, [best, ...others]);
  const words = oddWords(odd).slice(0, 5).join('; ');
  const how = `the ${other?.words}. Receivers that verify the raw body reject it`;
  const isCovered = scenes.every((scene) => coversBody(scheme, scene));
  const [kind, says] = decide<[Explained['kind'], string]>(
    [odd.length > 0, 'inconsistent', `Not every delivery is signed in the same way: ${words}`],
    [other !== undefined, 'other-text', `Signed over different bytes than those sent: ${how}`],
    [isCovered, 'verified', `Signed with HMAC-SHA256 over the payload: ${formula}`],
    [true, 'body-not-covered', `The signature leaves the payload out: it is made over ${formula}`],
  );
  const isCanonical = other?.words === canonicalWords;
  return { kind, says, scheme, odd, isCanonical, notes: notesOn(scheme, scenes, secret) };
}

/** Whether a scheme covers a delivery's body, or fields that are most of it. */
function coversBody(scheme: Scheme, { json, delivery: { body } }: Scene): boolean {
  if (scheme.kind === 'rfc9421') {
    return scheme.digest;
  }
  const isJws = scheme.kind === 'jws';
  const parts: readonly Part[] = isJws ? [scheme.signature] : scheme.parts;
  const texts = parts.map((part) => (part.from === 'field' ? (scalarText(at(json, part.name)) ?? '') : ''));
  const isNamed = isJws ? scheme.claim !== undefined : parts.some(({ from }) => from === 'body');
  return isNamed || texts.join('').length * 2 > body.length;
}

/** The deliveries that the best scheme does not verify, and how each differs from the others. */
const oddAmong = (
  scenes: readonly Scene[],
  secret: string,
  otherSecrets: readonly string[],
  found: readonly [Counted, ...Counted[]],
): OddDelivery[] =>
  scenes.flatMap((scene, index): OddDelivery[] => {
    const [best] = found;
    if (fits(best, scene, secret)) {
      return [];
    }
    const isSigned = signatureTokens(scene).some(({ bytes }) => bytes.length === macBytes);
    const isOthers = otherSecrets.some((other) => fits(best, scene, other));
    const own = found.find(({ fitting }) => fitting.includes(scene));
    const text = `is signed over a text other than the body sent: the ${own?.other?.words}`;
    const reason = mismatch(best.scheme, scene.delivery, secret) ?? 'another text is signed';
    const [difference, says] = decide<[OddDelivery['difference'], string]>(
      [!isSigned, 'unsigned', 'carries no signature of the size of an HMAC-SHA256'],
      [isOthers, 'other-secret', 'is signed with the secret of another webhook'],
      [own?.other !== undefined, 'mismatch', text],
      [own !== undefined && coversBody(own.scheme, scene), 'other-scheme', 'is signed in another way than the rest'],
      [true, 'mismatch', `does not verify: ${reason}`],
    );
    return [{ index, difference, says }];
  });
