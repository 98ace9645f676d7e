import { decoded } from '../../common/uri.ts';
import type { Delivery } from './delivery.ts';
import { headerValues } from './delivery.ts';
import { bounds } from './read/bounds.ts';
import { valuePattern } from './read/header-values.ts';
import { textAtPointer } from './read/leaves.ts';
import type { Source } from './scheme.ts';

/** The first text at a source; undefined if there is none. */
export function textAt(source: Source, delivery: Delivery, parsedBody: unknown): string | undefined {
  if (source.in === 'query') {
    return queryOf(delivery.url).find(([name]) => name === source.name)?.[1];
  }
  if (source.in === 'body') {
    return textAtPointer(parsedBody, source.pointer);
  }
  const values = headerValues(delivery, source.name).map((value) => value.slice(0, bounds.headerLength));
  const { label } = source;
  if (label === null) {
    return values[0];
  }
  const pattern = new RegExp(valuePattern(label));
  return values.map((value) => pattern.exec(value)?.[1]).find((text) => text !== undefined);
}

/** The parameters of a query, percent-decoded. A plus stays a plus, since base64 has them. */
export function queryOf(url: string): [string, string][] {
  const query = url.slice(0, bounds.headerLength).split('?')[1]?.split('#')[0] ?? '';
  return query
    .split('&')
    .filter(Boolean)
    .slice(0, bounds.headers)
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    });
}

/** The label of a source; a whole value counts as one without a label. */
export const labelOf = (source: Source): string => (source.in === 'header' ? (source.label ?? '') : '');

/** A text for a source, equal for equal sources. Header names are in lower case. */
export function sourceKey(source: Source): string {
  if (source.in === 'header') {
    return `header ${source.name.toLowerCase()} ${source.label ?? '(whole)'}`;
  }
  return source.in === 'query' ? `query ${source.name}` : `body ${source.pointer}`;
}
