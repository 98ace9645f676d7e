import { at, scalarText } from '../../common/json.ts';
import { commonPrefixLength } from '../../common/words.ts';
import { mismatch } from '../verify/verify.mjs';
import { bounds } from './bounds.ts';
import { type Budget, createBudget } from './contents.ts';
import type { Delivery } from './delivery.ts';
import { explainNothingFound, signatureTokens } from './diagnose.ts';
import type { DiscoverOptions, Discovery, OddDelivery, SentAndSigned } from './discovery.ts';
import { wrongSecret } from './keys.ts';
import { notesOn } from './notes.ts';
import { otherAlgorithms } from './other-algorithms.ts';
import { otherTexts } from './other-texts.ts';
import { placeKey, type Scheme } from './scheme.ts';
import { type Candidate, fits, layOut, type Scene, search } from './search.ts';

/** How the deliveries of one webhook are signed, and with which of the secrets. */
interface Signing {
  readonly secret: string;
  readonly discovery: Discovery;
}

/** The kinds of discovery, beginning with those that say most. */
const mostInformativeFirst: readonly Discovery['kind'][] = [
  'verified',
  'inconsistent',
  'other-text',
  'body-not-covered',
  'other-algorithm',
  'unknown-content',
  'unsigned',
];

/**
 * Finds out how deliveries are signed. Takes the deliveries of one webhook and its secret; an answer that is not
 * provisional needs two or more deliveries that differ in body, id and second. Throws nothing; no text in the answer
 * shows the secret.
 */
export const discoverScheme = (
  deliveries: readonly Delivery[],
  secret: string,
  options: DiscoverOptions = {},
): Discovery => discoverIn(deliveries.map(layOut), secret, options, createBudget(options.maxHmacs));

/**
 * Like `discoverScheme`, if the secret is one of several (likeliest first, at least one). Usual contents are tried
 * under each secret before unusual ones under any. All secrets together have one budget.
 */
export function discoverAmong(
  deliveries: readonly Delivery[],
  secrets: readonly string[],
  options: DiscoverOptions = {},
): Signing {
  const scenes = deliveries.map(layOut);
  const tried: Signing[] = [];
  // With one secret there is no other whose usual contents come before its unusual ones.
  const passes = options.lastResort === false ? [false] : secrets.length === 1 ? [true] : [false, true];
  for (const lastResort of passes) {
    tried.length = 0;
    for (const secret of secrets) {
      const budget = createBudget(
        (options.maxHmacs ?? bounds.hmacs) / secrets.length,
        bounds.hashedBytes / secrets.length,
      );
      const discovery = discoverIn(scenes, secret, { ...options, lastResort }, budget);
      tried.push({ secret, discovery });
      if (discovery.kind === 'verified') {
        return { secret, discovery };
      }
    }
  }
  const rankOf = ({ discovery }: Signing): number => mostInformativeFirst.indexOf(discovery.kind);
  const [best] = tried.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (best === undefined) {
    throw new TypeError('Cannot find a scheme without a secret');
  }
  return best.discovery.kind === 'unknown-content'
    ? { ...best, discovery: { ...best.discovery, tried: { ...best.discovery.tried, secrets: secrets.length } } }
    : best;
}

/** Deliveries that are searched for a scheme, if the schemes of those before verify only some. */
const mostSearched = 3;

function discoverIn(scenes: readonly Scene[], secret: string, options: DiscoverOptions, budget: Budget): Discovery {
  const { otherSecrets = [], mistakenSecrets = {}, likely = [], lastResort = true } = options;
  const counted = (candidates: readonly Candidate[]): Counted[] =>
    candidates
      .filter((one) => !scenes.some((scene) => fits(one, scene, wrongSecret(secret))))
      .map((one) => ({ ...one, fitting: scenes.filter((scene) => fits(one, scene, secret)) }))
      .filter(({ fitting }) => fitting.length > 0)
      .sort((one, other) => other.fitting.length - one.fitting.length);
  let found = counted(likely.map((scheme) => ({ scheme }))).filter(({ fitting }) => fitting.length === scenes.length);
  for (let searched = 0; searched < mostSearched; searched += 1) {
    const open = scenes.filter((scene) => !found.some(({ fitting }) => fitting.includes(scene)));
    const scene = open.find(({ tokens }) => tokens.length > 0);
    if (scene === undefined) {
      break;
    }
    found = counted([...found, ...search(scene, secret, budget, lastResort)]);
    if (found.length === 0) {
      break;
    }
  }
  const [best] = found;
  if (best === undefined) {
    return underOtherSecret(scenes, secret, options) ?? explainNothingFound(scenes, secret, mistakenSecrets, budget);
  }
  if (best.fitting.length === scenes.length) {
    return consistent(best, found, scenes, secret);
  }
  const odd = scenes.flatMap((scene, index) =>
    best.fitting.includes(scene) ? [] : [oddOne(index, scene, best, found, secret, otherSecrets)],
  );
  return { kind: 'inconsistent', scheme: best.scheme, odd, notes: notesOn(best.scheme, scenes, secret) };
}

interface Counted extends Candidate {
  readonly fitting: readonly Scene[];
}

/** The discovery of a scheme that verifies every delivery. */
function consistent(best: Counted, found: readonly Counted[], scenes: readonly Scene[], secret: string): Discovery {
  const { scheme } = best;
  const notes = notesOn(scheme, scenes, secret);
  if (best.other !== undefined) {
    return { kind: 'other-text', scheme, notes, ...sentAndSigned(best, scenes) };
  }
  if (!coversBody(scheme, scenes)) {
    return { kind: 'body-not-covered', scheme, notes };
  }
  const rest = found.filter((one) => one !== best && one.other === undefined && one.fitting.length === scenes.length);
  const isSamePlace = ({ scheme: { signature } }: Candidate): boolean =>
    placeKey(signature) === placeKey(scheme.signature) && signature.template === scheme.signature.template;
  const alternatives = rest.filter(isSamePlace).map((one) => one.scheme);
  const bodies = new Set(scenes.map(({ delivery }) => delivery.body.toString('latin1')));
  return {
    kind: 'verified',
    scheme,
    alternatives,
    others: rest.filter((one) => !isSamePlace(one)).map((one) => one.scheme),
    provisional: bodies.size < 2 || alternatives.length > 0,
    notes,
  };
}

/** Whether a scheme covers the body, or fields that are most of it. */
function coversBody(scheme: Scheme, scenes: readonly Scene[]): boolean {
  switch (scheme.kind) {
    case 'jws':
      return scheme.claim !== undefined;
    case 'rfc9421':
      return scheme.digest;
    case 'parts': {
      const fields = scheme.parts.flatMap((part) => (part.from === 'field' ? [part.name] : []));
      const lengthIn = ({ json }: Scene): number =>
        fields.reduce((sum, name) => sum + (scalarText(at(json, name)) ?? '').length, 0);
      return (
        scheme.parts.some((part) => part.from === 'body') ||
        (fields.length > 0 && scenes.every((scene) => lengthIn(scene) * 2 > scene.delivery.body.length))
      );
    }
  }
}

/** How many characters are shown before and after the first difference, to fit on a line of the console. */
const shown = { before: 16, after: 48 } as const;

function sentAndSigned({ other }: Counted, scenes: readonly Scene[]): SentAndSigned {
  const words = other?.words ?? '';
  const pairs = scenes.map(({ delivery, json }) => ({
    sent: delivery.body.toString('utf8'),
    signed: otherTexts(delivery.body, json)
      .find((one) => one.words === words)
      ?.text.toString('utf8'),
  }));
  const { sent, signed = '' } = pairs.find((one) => one.signed !== undefined && one.signed !== one.sent) ?? {
    sent: '',
  };
  const first = commonPrefixLength(sent, signed);
  const around = (text: string): string => {
    const [from, to] = [Math.max(0, first - shown.before), first + shown.after];
    const cut = text.slice(from, to).replaceAll('\n', String.raw`\n`);
    return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`;
  };
  return { words, isCanonical: other?.isCanonical === true, sent: around(sent), signed: around(signed) };
}

/**
 * The discovery that deliveries are signed with the secret of another webhook; undefined if they are not. The searches
 * under all other secrets together may cost a quarter of the search under the own one.
 */
function underOtherSecret(
  scenes: readonly Scene[],
  secret: string,
  { otherSecrets = [], maxHmacs = bounds.hmacs }: DiscoverOptions,
): Discovery | undefined {
  const [first] = scenes.filter(({ tokens }) => tokens.length > 0);
  const share = maxHmacs / 4 / otherSecrets.length;
  for (const other of first === undefined ? [] : otherSecrets) {
    const [found] = first === undefined ? [] : search(first, other, createBudget(share), false);
    if (found !== undefined) {
      const odd = scenes.map((scene, index) => oddOne(index, scene, found, [], secret, otherSecrets));
      return { kind: 'inconsistent', scheme: found.scheme, odd, notes: [] };
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
  const say = (difference: OddDelivery['difference'], text: string): OddDelivery => ({
    index,
    difference,
    message: `Delivery ${index + 1} ${text}`,
  });
  if (signatureTokens(scene).length === 0) {
    return say('unsigned', 'carries no signature');
  }
  if (otherSecrets.some((other) => fits(best, scene, other))) {
    return say('other-secret', 'is signed with the secret of another webhook');
  }
  const own = found.find(({ fitting }) => fitting.includes(scene));
  if (own?.other !== undefined) {
    return say('other-text', `is signed over a text other than the body sent: the ${own.other.words}`);
  }
  if (own !== undefined) {
    return coversBody(own.scheme, [scene])
      ? say('other-scheme', 'is signed in another way than the rest')
      : say('body-not-covered', 'has a signature that leaves its body out');
  }
  const algorithm = otherAlgorithms(scene, secret, {}).find(({ unkeyed }) => !unkeyed);
  return algorithm === undefined
    ? say(
        'mismatch',
        `does not verify: ${mismatch(best.scheme, scene.delivery, secret)?.reason ?? 'another text is signed'}`,
      )
    : say('other-algorithm', `is signed with ${algorithm.algorithm}`);
}
