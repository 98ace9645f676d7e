import { bounds } from './bounds.ts';
import type { Delivery } from './delivery.ts';
import type { Source, TimeUnit } from './scheme.ts';
import { labelBefore, queryOf } from './source.ts';

/** A moment that a delivery tells, as the text that was sent: signed contents hold that text, never a re-formatted one. */
export interface SeenTimestamp {
  readonly source: Source;
  readonly text: string;
  readonly unit: TimeUnit;
  readonly at: number;
}

const unitsByLength: Readonly<Record<number, readonly [TimeUnit, number]>> = {
  10: ['s', 1_000],
  13: ['ms', 1],
  16: ['us', 1e-3],
  19: ['ns', 1e-6],
};
const iso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const day = 86_400_000;

/** Reads a timestamp text: its unit from its form and length, and its moment in epoch milliseconds. */
export function readTimestamp(text: string): { unit: TimeUnit; at: number } | undefined {
  const digits = /^\d{10,19}$/.test(text) ? unitsByLength[text.length] : undefined;
  if (digits !== undefined) {
    return { unit: digits[0], at: Number(text) * digits[1] };
  }
  const unit = iso.test(text) ? 'iso-8601' : httpDate.test(text) ? 'http-date' : undefined;
  const at = unit === undefined ? Number.NaN : Date.parse(text);
  return unit === undefined || Number.isNaN(at) ? undefined : { unit, at };
}

/** Writes a moment in a unit, the way services do (whole numbers, UTC). */
export function writeTimestamp(at: number, unit: TimeUnit): string {
  const ms = Math.floor(at);
  if (unit === 's') {
    return String(Math.floor(ms / 1_000));
  }
  if (unit === 'ms') {
    return String(ms);
  }
  if (unit === 'us') {
    return `${ms}000`;
  }
  if (unit === 'ns') {
    return `${ms}000000`;
  }
  return unit === 'iso-8601' ? new Date(ms).toISOString() : new Date(ms).toUTCString();
}

/** Timestamps within a day of receipt, from every header (their fields too) and the query. Those named as such come first. */
export function findTimestamps(delivery: Delivery): SeenTimestamp[] {
  const found: SeenTimestamp[] = [];
  const add = (source: Source, text: string): void => {
    const read = readTimestamp(text);
    if (read !== undefined && isNear(read.at, delivery.receivedAt)) {
      found.push({ source, text, ...read });
    }
  };
  for (const [name, value] of delivery.headers.slice(0, bounds.headers)) {
    const text = value.slice(0, bounds.headerLength);
    add({ in: 'header', name, label: null }, text);
    for (const { label, part } of fieldsOf(text)) {
      add({ in: 'header', name, label }, part);
    }
  }
  for (const [name, value] of queryOf(delivery.url)) {
    add({ in: 'query', name }, value);
  }
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, bounds.timestamps);
}

/** The fields inside a header value, where it has more than one or a labelled one. */
export function fieldsOf(value: string): { label: string; part: string }[] {
  const fields: { label: string; part: string }[] = [];
  for (const match of value.matchAll(/(?<=^|[\s,;&="])[A-Za-z0-9][A-Za-z0-9:.+_-]*/g)) {
    const label = labelBefore(value.slice(Math.max(0, match.index - 64), match.index));
    if (match[0].length < value.length) {
      fields.push({ label, part: match[0] });
    }
    if (fields.length >= 32) {
      break;
    }
  }
  for (const pattern of [beforeDigest, inJson]) {
    for (const [, label = '', part = ''] of value.matchAll(pattern)) {
      fields.push({ label, part });
    }
  }
  return fields;
}

/** A time parted from a digest by a colon, a dot, a bar or a hyphen alone, with or without a version before it. */
const beforeDigest = /(?<=^|[\s,;&])((?:[A-Za-z][A-Za-z0-9]{0,7}[:.|_-])?)(\d{10,19})(?=[:.|_-][^\s,;&"]{32})/g;

/** A time in a header that holds JSON. */
const inJson = /(?<=[{,]\s?)("[A-Za-z][A-Za-z0-9_.-]{0,31}"\s?:\s?"?)(\d{10,19})(?=[",}])/g;

const isNear = (at: number, receivedAt: number): boolean =>
  Number.isFinite(receivedAt) && receivedAt > 0
    ? Math.abs(at - receivedAt) <= day
    : at > Date.UTC(2015, 0) && at < Date.UTC(2045, 0);

function rank({ source }: SeenTimestamp): number {
  if (source.in !== 'header') {
    return 3;
  }
  if (source.label !== null) {
    return 0;
  }
  const name = source.name.toLowerCase();
  if (name === 'date') {
    return 4;
  }
  return /time|date|sent|created|epoch/.test(name) ? 1 : 2;
}
