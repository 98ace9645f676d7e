import { bounds } from './bounds.ts';
import type { Delivery } from './delivery.ts';
import { headerValues } from './delivery.ts';
import { atPointer, parseBody } from './leaves.ts';
import type { Source } from './scheme.ts';

/** What may stand before a labelled value in a header. */
export const boundary = String.raw`(?:^|[\s,;&{])`;

/** A labelled value in a header. Digits that only a colon, a dot or a bar parts from a digest (`v1:1700000000:…`) end there. */
export const labelledValue = String.raw`(\d{10,19}(?=[:.|_-][^\s,;&"]{32})|[^\s,;&"}]+)`;

/** The label of what follows `before`: a name and its sign (`v1=`, `v1,`, `HMAC `, `signature="`, `"sig":"`); else empty. */
export function labelBefore(before: string): string {
  const tail = before.slice(-48);
  const match =
    /(?:[A-Za-z][A-Za-z0-9_.-]{0,31}(?:="|=:|=|,|:|\s|[-_/])|"[A-Za-z][A-Za-z0-9_.-]{0,31}"\s?:\s?"?)$/.exec(tail);
  if (match === null) {
    return '';
  }
  const start = tail.length - match[0].length;
  if (start === 0 ? before.length > 48 : !/[\s,;&{]/.test(tail.charAt(start - 1))) {
    return '';
  }
  return match[0];
}

export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** Every text that stands at the source, in order of appearance. `parsed` saves parsing the body again. */
export function textsAt(source: Source, delivery: Delivery, parsed?: { readonly body: unknown }): string[] {
  if (source.in === 'query') {
    return queryOf(delivery.url)
      .filter(([name]) => name === source.name)
      .map(([, value]) => value);
  }
  if (source.in === 'body') {
    const text = atPointer(parsed === undefined ? parseBody(delivery) : parsed.body, source.pointer);
    return text === undefined ? [] : [text];
  }
  const values = headerValues(delivery, source.name).map((value) => value.slice(0, bounds.headerLength));
  const { label } = source;
  if (label === null) {
    return values;
  }
  const pattern = new RegExp(`${boundary}${escapePattern(label)}${labelledValue}`, 'g');
  return values.flatMap((value) => [...value.matchAll(pattern)].map((match) => match[1] ?? ''));
}

/** The first text at the source. */
export const textAt = (source: Source, delivery: Delivery, parsed?: { readonly body: unknown }): string | undefined =>
  textsAt(source, delivery, parsed)[0];

/** The query as sent, percent-decoded; a plus stays a plus, since base64 has them. */
export function queryOf(url: string): [string, string][] {
  const query = url.slice(0, bounds.headerLength).split('?')[1]?.split('#')[0] ?? '';
  return query
    .split('&')
    .filter(Boolean)
    .slice(0, bounds.headers)
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function sameSource(a: Source, b: Source): boolean {
  return sourceKey(a) === sourceKey(b);
}

/** A text that is equal for equal sources; header names compare without case. */
export function sourceKey(source: Source): string {
  if (source.in === 'header') {
    return `header ${source.name.toLowerCase()} ${source.label ?? '(whole)'}`;
  }
  return source.in === 'query' ? `query ${source.name}` : `body ${source.pointer}`;
}
