import { coverageOf } from './content.ts';
import { keysOf, wrongSecret } from './read/keys.ts';
import type { Token } from './read/tokens.ts';
import type { Match, Scene } from './scene.ts';
import type { Scheme } from './scheme.ts';
import { schemesOf } from './search/assemble.ts';
import type { Budget } from './search/budget.ts';
import { constantTokens } from './search/diagnose.ts';
import type { OtherAlgorithm } from './search/other-algorithms.ts';
import { searchCompositions, searchUsual } from './search/search.ts';
import { sourceKey } from './source.ts';
import { tokensAt, verifyRead } from './verify.ts';

/** A scheme that may be the one by which a webhook signs, and which of its deliveries the scheme verifies. */
export interface Candidate {
  readonly scheme: Scheme;
  readonly verified: readonly boolean[];
  readonly count: number;
}

/** How many deliveries are searched for usual contents. */
const mostSearched = 4;

/**
 * The schemes with usual contents that explain deliveries. Searches one delivery after the other, leaving out those
 * already explained.
 */
export function findUsual(scenes: readonly Scene[], secret: string, budget: Budget): Candidate[] {
  const keys = keysOf(secret);
  const found: Candidate[] = [];
  for (const scene of scenes.filter(({ wanted }) => wanted.size > 0).slice(0, mostSearched)) {
    if (!found.some(({ verified }) => verified[scenes.indexOf(scene)])) {
      found.push(...candidatesOf(searchUsual({ scene, keys, budget }), scene, scenes, secret));
    }
  }
  return found;
}

interface Known {
  readonly usual: readonly Candidate[];
  readonly named: readonly OtherAlgorithm[];
}

/**
 * The schemes with any composition of ingredients that explain tokens which the `usual` candidates and the `named`
 * algorithms do not. Another token may be a signature that covers the body even if a usual one leaves the body out.
 * Searches the smallest delivery only.
 */
export function findCompositions(
  scenes: readonly Scene[],
  secret: string,
  budget: Budget,
  { usual, named }: Known,
): Candidate[] {
  const namedPlaces = named.map(({ token }) => sourceKey(token));
  const constant = constantTokens(scenes);
  const open = scenes.flatMap((scene) => {
    const explained = usual.flatMap(({ scheme }) => tokensAt(scheme.signature.source, scene.tokens));
    const isOpen = (token: Token): boolean =>
      !explained.includes(token) && !namedPlaces.includes(sourceKey(token.source));
    const wanted = new Map([...scene.wanted].filter(([hex, tokens]) => !constant.has(hex) && tokens.some(isOpen)));
    return wanted.size === 0 ? [] : [{ ...scene, wanted }];
  });
  const [smallest] = open.sort((a, b) => a.delivery.body.length - b.delivery.body.length);
  return smallest === undefined
    ? []
    : candidatesOf(searchCompositions({ scene: smallest, keys: keysOf(secret), budget }), smallest, scenes, secret);
}

const candidatesOf = (matches: readonly Match[], scene: Scene, scenes: readonly Scene[], secret: string): Candidate[] =>
  matches
    .flatMap((match) => schemesOf(match, scene, secret))
    .map((scheme) => candidateOf(scheme, scenes, secret))
    .filter(({ count }) => count > 0);

/** A scheme with the deliveries that it verifies: none if it also verifies one under a wrong secret. */
export function candidateOf(scheme: Scheme, scenes: readonly Scene[], secret: string): Candidate {
  const wrong = wrongSecret(secret);
  const fitsWrongSecret = scenes.some((scene) => verifyRead(scheme, scene, wrong).verified);
  const verified = scenes.map((scene) => !fitsWrongSecret && verifyRead(scheme, scene, secret).verified);
  return { scheme, verified, count: verified.filter(Boolean).length };
}

const coverageRanks = { raw: 0, derived: 1, 're-serialised': 2, none: 3 } as const;

/**
 * Lower is likelier: the raw body before other forms; among equals, fewer general headers such as Date in the content.
 */
function rankOf(scheme: Scheme): number {
  const general =
    JSON.stringify(scheme.content).match(/"name":"(?:date|x-request-id|request-id|x-correlation-id)"/gi)?.length ?? 0;
  return coverageRanks[coverageOf(scheme)] * 10 + general;
}

/** Orders candidates by the number of deliveries that they verify, then by how likely they are. */
export const bestFirst = (a: Candidate, b: Candidate): number =>
  b.count - a.count || rankOf(a.scheme) - rankOf(b.scheme);
