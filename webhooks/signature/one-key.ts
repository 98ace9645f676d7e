import { createHash } from 'node:crypto';
import type { Delivery } from './delivery.ts';
import type { Discovery } from './discovery.ts';
import { leavesOf, parseBody } from './read/leaves.ts';
import { findTokens, isSignatureNamed, type Token } from './read/tokens.ts';
import type { Source } from './scheme.ts';
import { sourceKey } from './source.ts';

/** A webhook's deliveries, and what was found out about how they are signed. */
export interface SignedDeliveries {
  readonly deliveries: readonly Delivery[];
  readonly discovery: Discovery;
}

/** A signature that two deliveries share. */
export interface SharedSignature {
  readonly source: Source;
  /** Indices into the deliveries of each webhook. */
  readonly deliveries: readonly [number, number];
}

/**
 * What proves that two webhooks with different secrets are signed with one key, whichever it is: equal signatures over equal
 * bytes. Undefined where there is no such pair, where the secret of one of them is known to sign it, or where another value
 * of the size differs: that may be the signature, and the equal one have a key of its own.
 */
export function oneKeyForBoth(one: SignedDeliveries, other: SignedDeliveries): SharedSignature | undefined {
  if (one.discovery.kind === 'verified' || other.discovery.kind === 'verified') {
    return undefined;
  }
  const constant = constantDigests([...one.deliveries, ...other.deliveries]);
  const changing = (delivery: Delivery): Token[] =>
    digestsOf(delivery).filter(({ bytes }) => !constant.has(bytes.toString('hex')));
  for (const [at, first] of one.deliveries.entries()) {
    for (const [place, second] of other.deliveries.entries()) {
      const isPair = first.body.length > 0 && first.body.equals(second.body);
      const shared = isPair ? sharedIn(changing(first), changing(second)) : undefined;
      if (shared !== undefined) {
        return { source: shared.source, deliveries: [at, place] };
      }
    }
  }
  return undefined;
}

/** A signature that stands at one place in both, where no value of its size differs between them. */
function sharedIn(one: readonly Token[], other: readonly Token[]): Token | undefined {
  const isIn = (tokens: readonly Token[], { source, bytes }: Token): boolean =>
    tokens.some((token) => sourceKey(token.source) === sourceKey(source) && token.bytes.equals(bytes));
  const differing = [...one.filter((token) => !isIn(other, token)), ...other.filter((token) => !isIn(one, token))];
  return one.find(
    (token) =>
      isSignatureNamed(token.source) &&
      isIn(other, token) &&
      differing.every(({ bytes }) => bytes.length !== token.bytes.length),
  );
}

/** Values that may sign a delivery: no plain hash of the body, which anybody can make. */
function digestsOf(delivery: Delivery): Token[] {
  const hashes = ['sha256', 'sha1', 'sha512', 'sha384', 'md5'].map((name) =>
    createHash(name).update(delivery.body).digest(),
  );
  return findTokens(delivery, leavesOf(parseBody(delivery))).filter(
    ({ bytes }) => bytes.length > 16 && !hashes.some((hash) => hash.equals(bytes)),
  );
}

/** Values that stand beside different bodies sign none of them. */
function constantDigests(deliveries: readonly Delivery[]): Set<string> {
  const all = deliveries.flatMap((delivery) =>
    digestsOf(delivery).map(({ bytes }) => ({ hex: bytes.toString('hex'), body: delivery.body })),
  );
  const byValue = [...Map.groupBy(all, ({ hex }) => hex)];
  return new Set(
    byValue.flatMap(([hex, group]) => (group.some(({ body }) => !group[0]?.body.equals(body)) ? [hex] : [])),
  );
}
