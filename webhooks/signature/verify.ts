import type { Bodies } from './bodies.ts';
import { equalBytes, hmacSha256, signedContent } from './content.ts';
import type { Delivery } from './delivery.ts';
import { deriveKey } from './keys.ts';
import { parseBody } from './leaves.ts';
import { bodiesFor } from './parts.ts';
import type { Scheme, Source } from './scheme.ts';
import { sourceKey } from './source.ts';
import type { Token } from './tokens.ts';
import { findTokens } from './tokens.ts';

export type Verification = { readonly verified: true } | { readonly verified: false; readonly reason: string };

/** Whether the delivery carries the scheme's signature under the secret; the reason never shows the secret. */
export function verify(scheme: Scheme, delivery: Delivery, secret: string): Verification {
  return verifyRead(
    scheme,
    { delivery, tokens: findTokens(delivery, parseBody(delivery)), bodies: bodiesFor(scheme, delivery) },
    secret,
  );
}

/** A delivery with what was read from it already. */
export interface ReadDelivery {
  readonly delivery: Delivery;
  readonly tokens: readonly Token[];
  readonly bodies: Bodies;
}

/** As verify, without reading the delivery again. */
export function verifyRead(
  scheme: Scheme,
  { delivery, tokens: all, bodies }: ReadDelivery,
  secret: string,
): Verification {
  const key = deriveKey(scheme.key, secret);
  if (key === undefined) {
    return { verified: false, reason: `the secret is not ${scheme.key.decode} behind its prefix` };
  }
  const tokens = tokensAt(scheme.signature.source, all);
  if (tokens.length === 0) {
    return { verified: false, reason: `no signature at ${sourceKey(scheme.signature.source)}` };
  }
  const content = signedContent(scheme, delivery, bodies);
  if (!Buffer.isBuffer(content)) {
    return { verified: false, reason: `the delivery lacks ${content.missing}` };
  }
  const digest = hmacSha256(key, content);
  return tokens.some(({ bytes }) => equalBytes(bytes, digest))
    ? { verified: true }
    : { verified: false, reason: `the signature at ${sourceKey(scheme.signature.source)} is not that of this content` };
}

/** The 32-byte tokens of a scheme's place; an entry without a label of its own continues the list before it. */
export function tokensAt(source: Source, tokens: readonly Token[]): Token[] {
  return tokens.filter(
    (token) =>
      token.bytes.length === 32 &&
      token.source.in === source.in &&
      (sourceKey(bare(token.source)) === sourceKey(bare(source)) ||
        sourceKey(unlabelled(token.source)) === sourceKey(bare(source)) ||
        (bareLabel(token.source) === '' && sourceKey(unlabelled(token.source)) === sourceKey(unlabelled(source)))),
  );
}

const bareLabel = (source: Source): string => (source.in === 'header' ? (source.label ?? '') : 'none');
const bare = (source: Source): Source => (source.in === 'header' ? { ...source, label: source.label ?? '' } : source);
const unlabelled = (source: Source): Source => (source.in === 'header' ? { ...source, label: '' } : source);
