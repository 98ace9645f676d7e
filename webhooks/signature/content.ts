import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Delivery, headerValues } from './delivery.ts';
import { type Bodies, bodiesOf, type Coverage, coverage } from './read/bodies.ts';
import type { BodyForm } from './read/body-forms.ts';
import { parseBody } from './read/leaves.ts';
import { readTime, writeTime } from './read/times.ts';
import { urlText } from './read/url-forms.ts';
import type { Content, JwsCover, Part, Scheme, Source } from './scheme.ts';
import { sourceKey, textAt } from './source.ts';
import { canonicalRequest } from './special/canonical-request.ts';
import { listsDigest, signingString } from './special/http-signature.ts';
import { coverByClaim, coverByHash, jwsAt, signingInput } from './special/jws.ts';
import { coversBody, signatureBase, signatureInputs } from './special/message-signature.ts';

/** The bytes that are signed, or what the delivery lacks for them. */
type SignedContent = Buffer | { readonly missing: string };

/** The bytes of a delivery that are signed by a scheme. */
export function signedContent(scheme: Scheme, delivery: Delivery, bodies: Bodies): SignedContent {
  const { content, signature } = scheme;
  switch (content.kind) {
    case 'parts':
      return partsContent(content.parts, delivery, bodies);
    case 'canonical-request':
      return canonicalRequest(content.signedHeaders, delivery) ?? { missing: `header ${content.signedHeaders}` };
    case 'jws':
      return jwsContent(signature.source, content.covers, delivery, bodies);
    case 'message-signature':
      return messageContent(content.label, content.digest, delivery);
    case 'http-signature':
      return httpContent(signature.source, content.digest, delivery);
  }
}

function partsContent(parts: readonly Part[], delivery: Delivery, bodies: Bodies): SignedContent {
  const pieces: Buffer[] = [];
  for (const part of parts) {
    const piece = partBytes(part, delivery, bodies);
    if (piece === undefined) {
      return { missing: nameOf(part) };
    }
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
}

function nameOf(part: Part): string {
  if (part.kind === 'value') {
    return sourceKey(part.source);
  }
  return part.kind === 'body' ? `body as ${part.form}` : part.kind;
}

function partBytes(part: Part, delivery: Delivery, bodies: Bodies): Buffer | string | undefined {
  switch (part.kind) {
    case 'body':
      return bodies.of(part.form);
    case 'literal':
      return part.text;
    case 'method':
      return part.lower === true ? delivery.method.toLowerCase() : delivery.method;
    case 'url':
      return urlText(part.form, delivery);
    case 'value': {
      const text = textAt(part.source, delivery, bodies.parsed);
      const time = text === undefined || part.as === undefined ? undefined : readTime(text);
      return part.as === undefined ? text : time && writeTime(time.at, part.as);
    }
  }
}

function jwsContent(source: Source, covers: JwsCover, delivery: Delivery, { parsed }: Bodies): SignedContent {
  const jws = jwsAt(source, delivery, parsed);
  if (jws === undefined) {
    return { missing: `a JWS at ${sourceKey(source)}` };
  }
  if (covers.by === 'hash' && coverByHash(jws.claims, delivery.body)?.claim !== covers.claim) {
    return { missing: `a claim ${covers.claim} that is the SHA-256 of the body` };
  }
  if (covers.by === 'claim' && coverByClaim(jws.claims, parsed)?.claim !== covers.claim) {
    return { missing: `a claim ${covers.claim} that is the body` };
  }
  return signingInput(jws, covers, delivery.body);
}

function messageContent(label: string, digest: boolean, delivery: Delivery): SignedContent {
  const input = signatureInputs(delivery).find((one) => one.label === label);
  if (input === undefined) {
    return { missing: `Signature-Input with ${label}` };
  }
  if (digest && !coversBody(input, delivery)) {
    return { missing: 'a signed Content-Digest that fits the body' };
  }
  const base = signatureBase(input, delivery);
  return base === undefined ? { missing: 'a signed component' } : Buffer.from(base);
}

function httpContent(source: Source, digest: boolean, delivery: Delivery): SignedContent {
  const name = source.in === 'header' ? source.name : '';
  if (digest && !listsDigest(name, delivery)) {
    return { missing: 'a signed header with a digest that fits the body' };
  }
  const text = headerValues(delivery, name).length === 0 ? undefined : signingString(name, delivery);
  return text === undefined ? { missing: 'a signed header' } : Buffer.from(text);
}

/** The forms of a delivery's body for a scheme. */
export function bodiesFor(scheme: Scheme, delivery: Delivery): Bodies {
  const { source } = scheme.signature;
  return bodiesOf(delivery, parseBody(delivery), source.in === 'body' ? source.pointer : undefined);
}

/** The form in which a scheme covers the body; undefined if it leaves the body out. */
export function bodyFormOf({ content }: Pick<Scheme, 'content'>): BodyForm | undefined {
  switch (content.kind) {
    case 'parts':
      return content.parts.find((part) => part.kind === 'body')?.form;
    case 'canonical-request':
      return 'raw';
    case 'message-signature':
    case 'http-signature':
      return content.digest ? 'sha256-base64' : undefined;
    case 'jws':
      if (content.covers.by === 'nothing') {
        return undefined;
      }
      return content.covers.by === 'hash' ? 'sha256-hex' : 'raw';
  }
}

/** How much of the body a scheme covers. */
export function coverageOf(scheme: {
  readonly content: Content;
  readonly signature: { readonly source: Source };
}): Coverage {
  const form = bodyFormOf(scheme);
  return form === undefined ? 'none' : coverage(form, scheme.signature.source);
}

export const hmacSha256 = (key: Buffer, content: Buffer): Buffer => createHmac('sha256', key).update(content).digest();

export const equalBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
