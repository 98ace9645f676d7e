import { headerValues } from '../delivery.ts';
import { textAtPointer } from '../read/leaves.ts';
import { readTime } from '../read/times.ts';
import type { SeenTimestamp } from '../read/timestamps.ts';
import type { Match, Scene } from '../scene.ts';
import type { Content, Part, Scheme, Source, Timestamp } from '../scheme.ts';
import { sourceKey } from '../source.ts';
import { signingString } from '../special/http-signature.ts';
import { placeOf } from './place.ts';

const mostVariants = 8;

/** The schemes that a match can stand for: several if a value of its content is found at more than one place. */
export function schemesOf(match: Match, scene: Scene, secret: string): Scheme[] {
  const signature = placeOf(match, scene, secret);
  return contentsOf(match.content, scene).map((content) => {
    const timestamp = timestampOf(content, signature.source, scene);
    return {
      signature,
      content,
      encoding: match.token.encoding,
      key: match.key,
      ...(timestamp === undefined ? {} : { timestamp }),
    };
  });
}

function contentsOf(content: Content, scene: Scene): Content[] {
  if (content.kind !== 'parts') {
    return [content];
  }
  let variants: (readonly Part[])[] = [[]];
  for (const part of content.parts) {
    const places = placesOf(part, scene);
    variants = variants.flatMap((variant) => places.map((place) => [...variant, place])).slice(0, mostVariants);
  }
  return variants.map((parts) => ({ kind: 'parts', parts }));
}

/** A part at each place in the delivery where its text is found. Only values have more than one place. */
function placesOf(part: Part, { ingredients }: Scene): readonly Part[] {
  if (part.kind !== 'value') {
    return [part];
  }
  const values = [...ingredients.aliases.values()].map((parts) => parts.filter((one) => one.kind === 'value'));
  const same = values.find((parts) => parts.some(({ source }) => sourceKey(source) === sourceKey(part.source)));
  return same?.map(({ source }) => ({ ...part, source })) ?? [part];
}

/** The timestamp in the signed content; without one, a timestamp that the delivery shows, which may not be covered. */
function timestampOf(content: Content, signature: Source, scene: Scene): Timestamp | undefined {
  const seen = scene.ingredients.seenTimestamps;
  if (content.kind === 'parts') {
    const held = content.parts
      .filter((part) => part.kind === 'value')
      .find(
        ({ role, source }) => role === 'timestamp' || (role === 'field' && /time|date|ts$/i.test(sourceKey(source))),
      );
    const unit = held === undefined ? undefined : unitOf(held.source, scene);
    if (held !== undefined && unit !== undefined) {
      return { source: held.source, unit, covered: true };
    }
  }
  const named = seen.find(({ source }) => source.in === 'header' && isSendingTime(source, content, signature));
  return named && { source: named.source, unit: named.unit, covered: isCovered(named, content, signature, scene) };
}

const unitOf = (source: Source, { ingredients, bodies }: Scene): Timestamp['unit'] | undefined =>
  ingredients.seenTimestamps.find((one) => sourceKey(one.source) === sourceKey(source))?.unit ??
  readTime((source.in === 'body' && textAtPointer(bodies.parsed, source.pointer)) || '')?.unit;

/** Whether a time is in the signature's header, or in a header that is named for the time of sending. */
function isSendingTime(source: Source & { in: 'header' }, content: Content, signature: Source): boolean {
  if (source.label !== null) {
    return /^signature-input$/i.test(source.name) || (signature.in === 'header' && signature.name === source.name);
  }
  return /timestamp|time$|request-time|sent-at/i.test(source.name) || content.kind === 'http-signature';
}

function isCovered({ source, text }: SeenTimestamp, content: Content, signature: Source, { delivery }: Scene): boolean {
  if (source.in !== 'header') {
    return false;
  }
  switch (content.kind) {
    case 'message-signature':
      return /^signature-input$/i.test(source.name);
    case 'http-signature':
      return signature.in === 'header' && (signingString(signature.name, delivery)?.includes(text) ?? false);
    case 'canonical-request':
      return (headerValues(delivery, content.signedHeaders)[0] ?? '')
        .toLowerCase()
        .split(/[,; ]+/)
        .includes(source.name.toLowerCase());
    default:
      return false;
  }
}
