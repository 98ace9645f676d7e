import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Bodies } from './bodies.ts';
import { canonicalRequest } from './canonical-request.ts';
import type { Delivery } from './delivery.ts';
import { bodyClaim, jwsHeaders } from './jws.ts';
import { coversBody, signatureBase, signatureInputs } from './message-signature.ts';
import { partsContent } from './parts.ts';
import type { Scheme } from './scheme.ts';

/** The bytes that a delivery's signature is made over, or why there are none. */
export function signedContent(
  scheme: Scheme,
  delivery: Delivery,
  bodies: Bodies,
): Buffer | { readonly missing: string } {
  const { content } = scheme;
  if (content.kind === 'parts') {
    return partsContent(content.parts, delivery, bodies);
  }
  if (content.kind === 'canonical-request') {
    return canonicalRequest(content.signedHeaders, delivery, bodies) ?? { missing: `header ${content.signedHeaders}` };
  }
  return content.kind === 'jws'
    ? jwsContent(scheme, content.claim, delivery)
    : messageContent(content.label, content.digest, delivery);
}

function jwsContent(scheme: Scheme, claim: string, delivery: Delivery): Buffer | { missing: string } {
  const { source } = scheme.signature;
  const named = jwsHeaders(delivery).find(
    ({ name }) => source.in === 'header' && name.toLowerCase() === source.name.toLowerCase(),
  );
  if (named === undefined) {
    return { missing: 'a JWS in the signature header' };
  }
  if (claim !== '' && bodyClaim(named.jws.claims, delivery.body)?.claim !== claim) {
    return { missing: `a claim ${claim} that is the SHA-256 of the body` };
  }
  return Buffer.from(named.jws.signingInput);
}

function messageContent(label: string, digest: boolean, delivery: Delivery): Buffer | { missing: string } {
  const input = signatureInputs(delivery).find((one) => one.label === label);
  if (input === undefined) {
    return { missing: `Signature-Input with ${label}` };
  }
  if (digest && !coversBody(input, delivery)) {
    return { missing: 'a signed Content-Digest that is true of the body' };
  }
  const base = signatureBase(input, delivery);
  return base === undefined ? { missing: 'a signed component' } : Buffer.from(base);
}

export const hmacSha256 = (key: Buffer, content: Buffer): Buffer => createHmac('sha256', key).update(content).digest();

export const equalBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
