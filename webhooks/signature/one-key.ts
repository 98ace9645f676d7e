import { createHash } from 'node:crypto';
import type { Delivery } from './delivery.ts';
import type { Discovery } from './discovery.ts';
import { leavesOf, parseBody } from './read/leaves.ts';
import { findTokens, isSignatureNamed, type Token } from './read/tokens.ts';
import type { Source } from './scheme.ts';
import { unreadDiffers } from './search/unread-headers.ts';
import { sourceKey } from './source.ts';

/** A webhook's deliveries, and how they are signed. */
interface SignedDeliveries {
  readonly deliveries: readonly Delivery[];
  readonly discovery: Discovery;
}

/** A signature that two deliveries share. */
export interface SharedSignature {
  readonly source: Source;
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
  const constant = constantDigests([...ofOne, ...ofOther]);
  const changing = ({ tokens }: Read): TokensByPlace =>
    new Map(tokens.filter(({ bytes }) => !constant.has(bytes.toString('hex'))).map((token) => [keyOf(token), token]));
  for (const [at, place] of pairsOf(one.deliveries, other.deliveries)) {
    const [first, second] = [ofOne[at] as Read, ofOther[place] as Read];
    const shared = sharedIn(changing(first), changing(second));
    if (shared !== undefined && !unreadDiffers(first, second)) {
      return { source: shared.source, deliveries: [at, place] };
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

const keyOf = ({ source, bytes }: Token): string => `${sourceKey(source)} ${bytes.toString('hex')}`;

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
    ([key, { source, bytes }]) => isSignatureNamed(source) && other.has(key) && !differing.has(bytes.length),
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

/** The values that occur with different bodies, and so sign none of them. */
function constantDigests(all: readonly Read[]): Set<string> {
  const firstBody = new Map<string, Buffer>();
  const constant = new Set<string>();
  for (const { delivery, tokens } of all) {
    for (const hex of tokens.map(({ bytes }) => bytes.toString('hex'))) {
      const first = firstBody.get(hex) ?? delivery.body;
      firstBody.set(hex, first);
      if (!first.equals(delivery.body)) {
        constant.add(hex);
      }
    }
  }
  return constant;
}
