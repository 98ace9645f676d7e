import { atPointer } from './leaves.ts';
import { placeOf } from './place.ts';
import type { Content, Part, Place, Scheme, Timestamp } from './scheme.ts';
import type { Match, Scene } from './search.ts';
import { sourceKey } from './source.ts';
import { readTimestamp } from './timestamps.ts';

const mostVariants = 8;

/** The schemes that a match may mean: one for each way to name its values, where two names carry one text. */
export function schemesOf(match: Match, scene: Scene, secret: string): Scheme[] {
  const signature =
    match.content.kind === 'jws' ? jwsPlace(match, scene) : placeOf(match.token, scene.delivery, scene.tokens, secret);
  return contentsOf(match.content, scene).map((content) => {
    const timestamp = timestampOf(content, scene);
    return {
      signature,
      content,
      encoding: match.token.encoding,
      key: match.key,
      ...(timestamp === undefined ? {} : { timestamp }),
    };
  });
}

/** A JWS is one value: its signature is a part of it, and its header and claims change too. */
function jwsPlace({ token }: Match, scene: Scene): Place {
  const name = token.source.in === 'header' ? token.source.name : '';
  const bearer = scene.delivery.headers.some(([key, value]) => key === name && /^Bearer\s/.test(value));
  return { source: { in: 'header', name, label: null }, template: bearer ? 'Bearer {signature}' : '{signature}' };
}

function contentsOf(content: Content, scene: Scene): Content[] {
  if (content.kind !== 'parts') {
    return [content];
  }
  let variants: (readonly Part[])[] = [[]];
  for (const part of content.parts) {
    const names = namesOf(part, scene);
    variants = variants.flatMap((variant) => names.map((name) => [...variant, name])).slice(0, mostVariants);
  }
  return variants.map((parts) => ({ kind: 'parts', parts }));
}

/** A value's further names in this delivery; everything else has one. */
function namesOf(part: Part, scene: Scene): readonly Part[] {
  if (part.kind !== 'value') {
    return [part];
  }
  const all = [...scene.ingredients.aliases.values()].find((names) =>
    names.some((one) => one.kind === 'value' && sourceKey(one.source) === sourceKey(part.source)),
  );
  const values = (all ?? []).filter((one) => one.kind === 'value');
  return values.length === 0 ? [part] : values.map((one) => ({ ...one, role: part.role }));
}

/** The timestamp that the content holds; else one that the delivery shows and nothing protects. */
function timestampOf(content: Content, scene: Scene): Timestamp | undefined {
  const seen = scene.ingredients.seenTimestamps;
  if (content.kind === 'parts') {
    const part = content.parts.find((one) => one.kind === 'value' && one.role === 'timestamp');
    if (part?.kind === 'value') {
      const unit = seen.find((one) => sourceKey(one.source) === sourceKey(part.source))?.unit;
      return unit === undefined ? undefined : { source: part.source, unit, covered: true };
    }
    const field = content.parts.find(
      (one) => one.kind === 'value' && one.role === 'field' && /time|date|ts$/i.test(sourceKey(one.source)),
    );
    if (field?.kind === 'value') {
      return fieldTimestamp(field.source, scene);
    }
  }
  const named = seen.find(
    ({ source }) =>
      source.in === 'header' &&
      (source.label !== null
        ? isSignatureHeader(source.name, scene)
        : /timestamp|time$|request-time|sent-at/i.test(source.name)),
  );
  if (named === undefined) {
    return undefined;
  }
  return {
    source: named.source,
    unit: named.unit,
    covered: content.kind !== 'parts' && isCoveredBy(content, named.source, scene),
  };
}

function fieldTimestamp(source: Timestamp['source'], scene: Scene): Timestamp | undefined {
  const text = source.in === 'body' ? atPointer(scene.bodies.parsed, source.pointer) : undefined;
  const unit = text === undefined ? undefined : readTimestamp(text)?.unit;
  return unit === undefined ? undefined : { source, unit, covered: true };
}

const isSignatureHeader = (name: string, scene: Scene): boolean =>
  /^signature-input$/i.test(name) ||
  scene.tokens.some(({ source, bytes }) => bytes.length === 32 && source.in === 'header' && source.name === name);

function isCoveredBy(content: Content, source: Timestamp['source'], scene: Scene): boolean {
  if (source.in !== 'header') {
    return false;
  }
  if (content.kind === 'message-signature') {
    return /^signature-input$/i.test(source.name);
  }
  if (content.kind !== 'canonical-request') {
    return false;
  }
  const list = scene.delivery.headers.find(([name]) => name === content.signedHeaders)?.[1] ?? '';
  return list
    .toLowerCase()
    .split(/[,; ]+/)
    .includes(source.name.toLowerCase());
}
