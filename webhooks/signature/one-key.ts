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
 * bytes. Undefined where there is no such pair, or where the secret of one of them is known to sign it: a further signature
 * in the same delivery may have a key of its own.
 */
export function oneKeyForBoth(one: SignedDeliveries, other: SignedDeliveries): SharedSignature | undefined {
  if (one.discovery.kind === 'verified' || other.discovery.kind === 'verified') {
    return undefined;
  }
  const pairs = one.deliveries.flatMap((delivery, at) =>
    other.deliveries.flatMap((second, place) =>
      delivery.body.length > 0 && delivery.body.equals(second.body) ? [[at, place] as const] : [],
    ),
  );
  const constant = constantSignatures([...one.deliveries, ...other.deliveries]);
  for (const [at, place] of pairs) {
    const shared = signaturesOf(one.deliveries[at]).find(
      (token) =>
        !constant.has(token.bytes.toString('hex')) &&
        signaturesOf(other.deliveries[place]).some(
          (second) => sourceKey(second.source) === sourceKey(token.source) && second.bytes.equals(token.bytes),
        ),
    );
    if (shared !== undefined) {
      return { source: shared.source, deliveries: [at, place] };
    }
  }
  return undefined;
}

/** Values in places named for a signature that are no plain hash of the body, which anybody can make. */
function signaturesOf(delivery: Delivery | undefined): Token[] {
  if (delivery === undefined) {
    return [];
  }
  const hashes = ['sha256', 'sha1', 'sha512', 'sha384', 'md5'].map((name) =>
    createHash(name).update(delivery.body).digest(),
  );
  return findTokens(delivery, leavesOf(parseBody(delivery))).filter(
    ({ source, bytes }) => bytes.length > 16 && isSignatureNamed(source) && !hashes.some((hash) => hash.equals(bytes)),
  );
}

/** Values that stand beside different bodies sign none of them. */
function constantSignatures(deliveries: readonly Delivery[]): Set<string> {
  const all = deliveries.flatMap((delivery) =>
    signaturesOf(delivery).map(({ bytes }) => ({ hex: bytes.toString('hex'), body: delivery.body })),
  );
  const byValue = [...Map.groupBy(all, ({ hex }) => hex)];
  return new Set(
    byValue.flatMap(([hex, group]) => (group.some(({ body }) => !group[0]?.body.equals(body)) ? [hex] : [])),
  );
}
