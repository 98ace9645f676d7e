import { createHash } from 'node:crypto';
import type { Delivery } from './delivery.ts';
import { constantTokens, unreadLines } from './diagnose.ts';
import type { Discovery } from './discovery.ts';
import { type Place, placeKey } from './scheme.ts';
import { findTokens, isSignatureNamed, type Token } from './tokens.ts';

/** A webhook's deliveries, and how they are signed. */
interface SignedDeliveries {
  readonly deliveries: readonly Delivery[];
  readonly discovery: Discovery;
}

/**
 * The place of a signature which proves that two webhooks with different secrets are signed with one key, whichever it
 * is: it is equal over equal bytes. Undefined if there is no such pair of deliveries, or if one of the webhooks is known
 * to be signed with its secret. A pair does not count if another value of the same size differs, or one that cannot be
 * read: that one may be the signature.
 */
export function oneKeyForBoth(one: SignedDeliveries, other: SignedDeliveries): Place | undefined {
  if (one.discovery.kind === 'verified' || other.discovery.kind === 'verified') {
    return undefined;
  }
  const [ofOne, ofOther] = [one.deliveries.map(read), other.deliveries.map(read)];
  const constant = constantTokens([...ofOne, ...ofOther]);
  for (const first of ofOne.slice(0, mostCompared)) {
    for (const second of ofOther.slice(0, mostCompared)) {
      const isPair = first.delivery.body.length > 0 && first.delivery.body.equals(second.delivery.body);
      const shared = isPair ? sharedIn(first, second, constant) : undefined;
      if (shared !== undefined) {
        return shared.place;
      }
    }
  }
  return undefined;
}

/** More deliveries, as of a flood, show nothing new. */
const mostCompared = 30;

interface Read {
  readonly delivery: Delivery;
  readonly tokens: readonly Token[];
}

/** A delivery with the values that may sign it, leaving out plain hashes of the body, which anybody can make. */
function read(delivery: Delivery): Read {
  const hashes = ['sha256', 'sha1', 'sha512'].map((name) => createHash(name).update(delivery.body).digest());
  const tokens = findTokens(delivery).filter(
    ({ bytes }) => bytes.length > 16 && !hashes.some((hash) => hash.equals(bytes)),
  );
  return { delivery, tokens };
}

function sharedIn(one: Read, other: Read, constant: ReadonlySet<string>): Token | undefined {
  const linesOf = (delivery: Read): string => JSON.stringify(unreadLines(delivery).toSorted());
  const keyOf = ({ place, bytes }: Token): string => `${placeKey(place)} ${bytes.toString('hex')}`;
  const changing = ({ tokens }: Read): Token[] => tokens.filter(({ bytes }) => !constant.has(bytes.toString('hex')));
  const isIn = (tokens: readonly Token[], token: Token): boolean => tokens.some((each) => keyOf(each) === keyOf(token));
  const [ofOne, ofOther] = [changing(one), changing(other)];
  const differing = [
    ...ofOne.filter((token) => !isIn(ofOther, token)),
    ...ofOther.filter((token) => !isIn(ofOne, token)),
  ].map(({ bytes }) => bytes.length);
  return linesOf(one) !== linesOf(other)
    ? undefined
    : ofOne.find(
        (token) => isSignatureNamed(token.place) && isIn(ofOther, token) && !differing.includes(token.bytes.length),
      );
}
