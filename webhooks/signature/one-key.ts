import { createHash } from 'node:crypto';
import type { Delivery } from './delivery.ts';
import { constantTokens, unreadLines } from './diagnose.ts';
import type { Discovery } from './discovery.ts';
import { leavesOf, parseBody } from './leaves.ts';
import { type Place, placeKey } from './scheme.ts';
import { findTokens, isSignatureNamed, type Token } from './tokens.ts';

/** A webhook's deliveries, and how they are signed. */
interface SignedDeliveries {
  readonly deliveries: readonly Delivery[];
  readonly discovery: Discovery;
}

/** A signature that two deliveries share. */
export interface SharedSignature {
  readonly place: Place;
  /** The indices of the two, each among the deliveries of its webhook. */
  readonly deliveries: readonly [number, number];
}

/**
 * Two deliveries which prove that two webhooks with different secrets are signed with one key, whichever it is: equal
 * signatures over equal bytes. Undefined if there is no such pair, or if one of the webhooks is known to be signed with
 * its secret. A pair does not count if another value of the same size differs, or one that cannot be read: that one may
 * be the signature.
 */
export function oneKeyForBoth(one: SignedDeliveries, other: SignedDeliveries): SharedSignature | undefined {
  if (one.discovery.kind === 'verified' || other.discovery.kind === 'verified') {
    return undefined;
  }
  const readOf = (delivery: Delivery): Read => ({ delivery, tokens: digestsOf(delivery) });
  const [ofOne, ofOther] = [one.deliveries.map(readOf), other.deliveries.map(readOf)];
  const constant = constantTokens([...ofOne, ...ofOther]);
  const changing = ({ tokens }: Read): TokensByPlace =>
    new Map(tokens.filter(({ bytes }) => !constant.has(bytes.toString('hex'))).map((token) => [keyOf(token), token]));
  for (const [at, place] of pairsOf(one.deliveries, other.deliveries)) {
    const [first, second] = [ofOne[at] as Read, ofOther[place] as Read];
    const shared = sharedIn(changing(first), changing(second));
    if (shared !== undefined && !unreadDiffers(first, second)) {
      return { place: shared.place, deliveries: [at, place] };
    }
  }
  return undefined;
}

/** A delivery with its tokens. */
interface Read {
  readonly delivery: Delivery;
  readonly tokens: readonly Token[];
}

/** Tokens by their place and value. */
type TokensByPlace = ReadonlyMap<string, Token>;

const keyOf = ({ place, bytes }: Token): string => `${placeKey(place)} ${bytes.toString('hex')}`;

/** More pairs of equal bodies, as from a flood, show nothing new. */
const mostPairs = 1_000;

/** The indices of deliveries with equal bodies. */
function pairsOf(one: readonly Delivery[], other: readonly Delivery[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (const [at, { body }] of one.entries()) {
    for (const [place, second] of other.entries()) {
      if (pairs.length < mostPairs && body.length > 0 && body.equals(second.body)) {
        pairs.push([at, place]);
      }
    }
  }
  return pairs;
}

/** A signature that both have at the same place, unless another value of its size differs between them. */
function sharedIn(one: TokensByPlace, other: TokensByPlace): Token | undefined {
  const sizesMissing = (these: TokensByPlace, those: TokensByPlace): number[] =>
    [...these].flatMap(([key, { bytes }]) => (those.has(key) ? [] : [bytes.length]));
  const differing = new Set([...sizesMissing(one, other), ...sizesMissing(other, one)]);
  return [...one].find(
    ([key, { place, bytes }]) => isSignatureNamed(place) && other.has(key) && !differing.has(bytes.length),
  )?.[1];
}

/** The values that may sign a delivery, leaving out plain hashes of the body, which anybody can make. */
function digestsOf(delivery: Delivery): Token[] {
  const hashes = ['sha256', 'sha1', 'sha512', 'sha384', 'md5'].map((name) =>
    createHash(name).update(delivery.body).digest(),
  );
  return findTokens(delivery, leavesOf(parseBody(delivery))).filter(
    ({ bytes }) => bytes.length > 16 && !hashes.some((hash) => hash.equals(bytes)),
  );
}

/** Whether a header that cannot be read, and may be a signature, differs between two deliveries. */
function unreadDiffers(one: Read, other: Read): boolean {
  const textOf = (read: Read): string => JSON.stringify(unreadLines(read).toSorted());
  return textOf(one) !== textOf(other);
}
