import { parentOf } from '../../../common/json.ts';
import type { Delivery } from '../delivery.ts';
import type { Source } from '../scheme.ts';
import { queryOf } from '../source.ts';
import { bounds } from './bounds.ts';
import { fieldsOf } from './header-values.ts';
import type { Leaf } from './leaves.ts';
import { type ReadTime, readTime } from './times.ts';
import type { Token } from './tokens.ts';

/** A time in a delivery, with its place and the text that was sent. */
export interface SeenTimestamp extends ReadTime {
  readonly source: Source;
  readonly text: string;
}

const day = 86_400_000;

/**
 * The times within a day of receipt in headers and their fields, in the query and in the body. Those named as times
 * come first.
 */
export function findTimestamps(delivery: Delivery, tokens: readonly Token[], leaves: readonly Leaf[]): SeenTimestamp[] {
  const found = textsOf(delivery, tokens, leaves).flatMap(({ source, text }) => {
    const read = readTime(text);
    return read !== undefined && isNear(read.at, delivery.receivedAt) ? [{ source, text, ...read }] : [];
  });
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, 2 * bounds.timestamps);
}

interface Text {
  readonly source: Source;
  readonly text: string;
}

function textsOf(delivery: Delivery, tokens: readonly Token[], leaves: readonly Leaf[]): Text[] {
  const headers = delivery.headers.slice(0, bounds.headers).flatMap(([name, value]): Text[] => [
    { source: { in: 'header', name, label: null }, text: value.slice(0, bounds.headerLength) },
    ...fieldsOf(value, digestsIn(name, value, tokens)).map(({ label, text }) => ({
      source: { in: 'header', name, label } as const,
      text,
    })),
  ]);
  const query = queryOf(delivery.url).map(([name, text]): Text => ({ source: { in: 'query', name }, text }));
  const body = leaves
    .filter(({ pointer }) => pointer.split('/').length <= 4 && !/\/\d+(\/|$)/.test(pointer))
    .map(({ pointer, text }): Text => ({ source: { in: 'body', pointer }, text }));
  return [...headers, ...query, ...body];
}

/** The places of digests in a header's value. */
export const digestsIn = (name: string, value: string, tokens: readonly Token[]): { at: number; length: number }[] =>
  tokens
    .filter(({ source, text, at }) => source.in === 'header' && source.name === name && value.startsWith(text, at))
    .map(({ at, text }) => ({ at, length: text.length }));

const isNear = (at: number, receivedAt: number): boolean =>
  Number.isFinite(receivedAt) && receivedAt > 0
    ? Math.abs(at - receivedAt) <= day
    : at > Date.UTC(2015, 0) && at < Date.UTC(2045, 0);

const timeName = /time|date|sent|created|epoch|occurred|(^|[/_-])(at|ts)$/i;

/**
 * Lower is likelier: first a field of a header, then a header named for a time, another header, the query, the body,
 * and Date. Eight hexadecimal digits come later, since they may be anything.
 */
function rank({ source, unit }: SeenTimestamp): number {
  const guess = unit === 's-hex' ? 3 : 0;
  if (source.in === 'body') {
    return guess + (timeName.test(source.pointer) ? 4 : 6) + (parentOf(source.pointer) === '' ? 0 : 1);
  }
  if (source.in === 'query') {
    return guess + 3;
  }
  if (source.label !== null) {
    return guess;
  }
  if (/^date$/i.test(source.name)) {
    return guess + 5;
  }
  return guess + (timeName.test(source.name) ? 1 : 2);
}
