import { at, scalarText } from '../../common/json.ts';
import { mismatch } from '../verify/verify.mjs';
import { bounds, type Delivery, plainBody } from './delivery.ts';
import { contentFormula, type Discovery, type OddDelivery, oddWords } from './describe.ts';
import { explainNothingFound, notesOn, signatureTokens } from './diagnose.ts';
import { wrongSecret } from './keys.ts';
import type { Scheme } from './scheme.ts';
import { type Candidate, createBudget, fits, layOut, type Scene, search } from './search.ts';
import { macBytes } from './tokens.ts';

export interface DiscoverOptions {
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

/** The kinds of discovery, beginning with those that say most. */
const mostInformativeFirst: readonly Discovery['kind'][] = [
  ...(['verified', 'inconsistent', 'other-text', 'body-not-covered', 'other-algorithm'] as const),
  ...(['unknown-content', 'unsigned'] as const),
];

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
  const rankOf = ({ discovery }: Signing): number => mostInformativeFirst.indexOf(discovery.kind);
  const [best] = tried.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (best === undefined) {
    throw new TypeError('Cannot find a scheme without a secret');
  }
  const plain = deliveries.map((one) => ({ ...one, body: plainBody(one) }));
  if (best.discovery.kind === 'verified' || plain.every(({ body }, index) => body === deliveries[index]?.body)) {
    return best;
  }
  const { secret, discovery } = discoverAmong(plain, secrets, options);
  const notes = ['The body is signed before it is compressed: decompress it before you verify', ...discovery.notes];
  return discovery.kind === 'verified' ? { secret, discovery: { ...discovery, notes } } : best;
}

interface Counted extends Candidate {
  readonly fitting: readonly Scene[];
}

/** Deliveries that are searched for a scheme, if the schemes of those before verify only some. */
const mostSearched = 3;

function discoverIn(
  scenes: readonly Scene[],
  secret: string,
  { otherSecrets = [], mistakenKeys = {} }: DiscoverOptions,
  most: number,
): Discovery {
  const budget = createBudget(most);
  // Most deliveries may be signed wrongly: one that verifies them all comes first, else one that is right.
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
  for (let searched = 0; searched < mostSearched; searched += 1) {
    const open = scenes.filter((scene) => !found.some(({ fitting }) => fitting.includes(scene)));
    const scene = open.find(({ tokens }) => tokens.length > 0);
    found = counted([...found, ...(scene === undefined ? [] : search(scene, secret, budget))]);
    if (found.length === 0 || scene === undefined) {
      break;
    }
  }
  const [best] = found;
  if (best === undefined) {
    const keys = { secret, mistaken: mistakenKeys };
    return underOtherSecret(scenes, secret, otherSecrets, most) ?? explainNothingFound(scenes, keys);
  }
  const { scheme, fitting, other } = best;
  const notes = notesOn(scheme, scenes, secret);
  if (fitting.length < scenes.length) {
    const odd = scenes.flatMap((scene, index) =>
      fitting.includes(scene) ? [] : [oddOne(index, scene, best, found, secret, otherSecrets)],
    );
    return inconsistent(scheme, odd, notes);
  }
  if (other !== undefined) {
    const says = `Signed over different bytes than those sent: the ${other.words}. Receivers that verify the raw body reject it`;
    return { kind: 'other-text', says, scheme, isCanonical: other.isCanonical === true, notes };
  }
  const formula = contentFormula(scheme);
  return scenes.every((scene) => coversBody(scheme, scene))
    ? { kind: 'verified', says: `Signed with HMAC-SHA256 over the payload: ${formula}`, scheme, notes }
    : {
        kind: 'body-not-covered',
        says: `The signature leaves the payload out: it is made over ${formula}`,
        scheme,
        notes,
      };
}

const inconsistent = (scheme: Scheme, odd: readonly OddDelivery[], notes: readonly string[]): Discovery => ({
  kind: 'inconsistent',
  says: `Not every delivery is signed in the same way: ${oddWords(odd).slice(0, 5).join('; ')}`,
  scheme,
  odd,
  notes,
});

/** Whether a scheme covers a delivery's body, or fields that are most of it. */
function coversBody(scheme: Scheme, { json, delivery }: Scene): boolean {
  switch (scheme.kind) {
    case 'jws': {
      const { from, name } = scheme.signature;
      const jws = from === 'field' ? scalarText(at(json, name)) : null;
      return scheme.claim !== undefined || isMost(jws ?? '', delivery);
    }
    case 'rfc9421':
      return scheme.digest;
    case 'parts': {
      const texts = scheme.parts.map((part) => (part.from === 'field' ? (scalarText(at(json, part.name)) ?? '') : ''));
      return scheme.parts.some(({ from }) => from === 'body') || isMost(texts.join(''), delivery);
    }
  }
}

const isMost = (text: string, { body }: Delivery): boolean => text.length * 2 > body.length;

/** The discovery that deliveries are signed with the secret of another webhook; undefined if they are not. */
function underOtherSecret(
  scenes: readonly Scene[],
  secret: string,
  otherSecrets: readonly string[],
  most: number,
): Discovery | undefined {
  const signed = scenes.find(({ tokens }) => tokens.length > 0);
  for (const other of signed === undefined ? [] : otherSecrets) {
    const [found] = signed === undefined ? [] : search(signed, other, createBudget(most / 4 / otherSecrets.length));
    if (found !== undefined) {
      const odd = scenes.map((scene, index) => oddOne(index, scene, found, [], secret, otherSecrets));
      return inconsistent(found.scheme, odd, []);
    }
  }
  return undefined;
}

/** How a delivery that the best scheme does not verify differs from the others. */
function oddOne(
  index: number,
  scene: Scene,
  best: Candidate,
  found: readonly Counted[],
  secret: string,
  otherSecrets: readonly string[],
): OddDelivery {
  const say = (difference: OddDelivery['difference'], says: string): OddDelivery => ({ index, difference, says });
  if (!signatureTokens(scene).some(({ bytes }) => bytes.length === macBytes)) {
    return say('unsigned', 'carries no signature of the size of an HMAC-SHA256');
  }
  if (otherSecrets.some((other) => fits(best, scene, other))) {
    return say('other-secret', 'is signed with the secret of another webhook');
  }
  const own = found.find(({ fitting }) => fitting.includes(scene));
  if (own?.other !== undefined) {
    return say('mismatch', `is signed over a text other than the body sent: the ${own.other.words}`);
  }
  if (own !== undefined && coversBody(own.scheme, scene)) {
    return say('other-scheme', 'is signed in another way than the rest');
  }
  const reason = mismatch(best.scheme, scene.delivery, secret)?.reason ?? 'another text is signed';
  return say('mismatch', `does not verify: ${reason}`);
}
