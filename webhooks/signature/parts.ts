import type { Bodies } from './bodies.ts';
import { bodiesOf } from './bodies.ts';
import type { Delivery } from './delivery.ts';
import { urlText } from './ingredients.ts';
import { parseBody } from './leaves.ts';
import type { BodyForm, Part, Scheme } from './scheme.ts';
import { sourceKey, textAt } from './source.ts';

/** The bytes of a content made of parts, for one delivery; or which part the delivery lacks. */
export function partsContent(
  parts: readonly Part[],
  delivery: Delivery,
  bodies: Bodies,
): Buffer | { readonly missing: string } {
  const pieces: Buffer[] = [];
  for (const part of parts) {
    const piece = partBytes(part, delivery, bodies);
    if (piece === undefined) {
      return {
        missing:
          part.kind === 'value' ? sourceKey(part.source) : part.kind === 'body' ? `body as ${part.form}` : part.kind,
      };
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function partBytes(part: Part, delivery: Delivery, bodies: Bodies): Buffer | undefined {
  if (part.kind === 'body') {
    return bodies.of(part.form);
  }
  if (part.kind === 'literal') {
    return Buffer.from(part.text);
  }
  if (part.kind === 'method') {
    return Buffer.from(delivery.method);
  }
  if (part.kind === 'url') {
    return Buffer.from(urlText(part.form, delivery));
  }
  const text = textAt(part.source, delivery, { body: bodies.parsed });
  return text === undefined ? undefined : Buffer.from(text);
}

/** A reading of a delivery's body for a scheme. */
export function bodiesFor(scheme: Scheme, delivery: Delivery): Bodies {
  const { source } = scheme.signature;
  return bodiesOf(delivery, parseBody(delivery), source.in === 'body' ? source.pointer : undefined);
}

/** The form in which a scheme covers the body; undefined where it does not. */
export function bodyFormOf(scheme: Scheme): BodyForm | undefined {
  const { content } = scheme;
  if (content.kind === 'parts') {
    return content.parts.find((part) => part.kind === 'body')?.form;
  }
  if (content.kind === 'canonical-request') {
    return 'raw';
  }
  if (content.kind === 'message-signature') {
    return content.digest ? 'sha256-base64' : undefined;
  }
  return content.claim === '' ? undefined : content.claimEncoding === 'hex' ? 'sha256-hex' : 'sha256-base64';
}
