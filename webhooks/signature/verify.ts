import { bodiesFor, equalBytes, hmacSha256, signedContent } from './content.ts';
import type { Delivery } from './delivery.ts';
import type { Bodies } from './read/bodies.ts';
import { deriveKey } from './read/keys.ts';
import { leavesOf } from './read/leaves.ts';
import { findTokens, macBytes, type Token } from './read/tokens.ts';
import type { Scheme, Source } from './scheme.ts';
import { labelOf, sourceKey } from './source.ts';

type Verification =
  | { readonly verified: true }
  /** `isWrong`: the delivery has all that the scheme needs, and its signature is another one. */
  | { readonly verified: false; readonly reason: string; readonly isWrong: boolean };

/** Whether a delivery has the scheme's signature under the secret. The reason never shows the secret. */
export function verify(scheme: Scheme, delivery: Delivery, secret: string): Verification {
  const bodies = bodiesFor(scheme, delivery);
  return verifyRead(scheme, { delivery, tokens: findTokens(delivery, leavesOf(bodies.parsed)), bodies }, secret);
}

/** A delivery that is already read. */
interface ReadDelivery {
  readonly delivery: Delivery;
  readonly tokens: readonly Token[];
  readonly bodies: Bodies;
}

/** Like `verify`, without reading the delivery again. */
export function verifyRead(
  scheme: Scheme,
  { delivery, tokens: all, bodies }: ReadDelivery,
  secret: string,
): Verification {
  const failed = (reason: string, isWrong = false): Verification => ({ verified: false, reason, isWrong });
  const key = deriveKey(scheme.key, secret);
  if (key === undefined) {
    return failed(`the secret is not ${scheme.key.decode} behind its prefix`);
  }
  const tokens = tokensAt(scheme.signature.source, all);
  if (tokens.length === 0) {
    return failed(`no signature at ${sourceKey(scheme.signature.source)}`);
  }
  const content = signedContent(scheme, delivery, bodies);
  if (!Buffer.isBuffer(content)) {
    return failed(`the delivery lacks ${content.missing}`);
  }
  const digest = hmacSha256(key, content);
  return tokens.some(({ bytes }) => equalBytes(bytes, digest))
    ? { verified: true }
    : failed(`the signature at ${sourceKey(scheme.signature.source)} does not fit this content`, true);
}

/**
 * The tokens with the size of an HMAC-SHA256 at a place. In a list, an entry without a label has the label of the one
 * before.
 */
export function tokensAt(place: Source, tokens: readonly Token[]): Token[] {
  const wanted = keyUnder(place, labelOf(place));
  const list = keyUnder(place, '');
  return tokens.filter(({ bytes, source }) => {
    const [own, bare] = [keyUnder(source, labelOf(source)), keyUnder(source, '')];
    return (
      bytes.length === macBytes && (own === wanted || bare === wanted || (labelOf(source) === '' && bare === list))
    );
  });
}

const keyUnder = (source: Source, label: string): string =>
  sourceKey(source.in === 'header' ? { ...source, label } : source);
