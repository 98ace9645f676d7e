import type { TimeUnit } from './scheme.ts';

/** How services write a time in each unit. */
const writers: Readonly<Record<TimeUnit, (ms: number) => string>> = {
  s: (ms) => String(Math.floor(ms / 1_000)),
  ms: (ms) => String(Math.floor(ms)),
  iso: (ms) => new Date(ms).toISOString(),
  http: (ms) => new Date(ms).toUTCString(),
};

/** A time (epoch milliseconds) written in a unit. */
export const writeTime = (at: number, unit: TimeUnit): string => writers[unit](at);

/** A time that was read from a text. */
interface ReadTime {
  readonly unit: TimeUnit;
  /** Epoch milliseconds. */
  readonly at: number;
}

const iso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const httpDate = /^(?:[A-Z][a-z]{2}, ?)?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/;

/** Reads a time by its form and length; undefined if the text is not a time. */
export function readTime(text: string): ReadTime | undefined {
  if (/^\d{10}(?:\.\d{1,9})?$/.test(text)) {
    return { unit: 's', at: Number(text) * 1_000 };
  }
  if (/^\d{13}$/.test(text)) {
    return { unit: 'ms', at: Number(text) };
  }
  if (text.length > 40 || !(iso.test(text) || httpDate.test(text)) || Number.isNaN(Date.parse(text))) {
    return undefined;
  }
  return { unit: iso.test(text) ? 'iso' : 'http', at: Date.parse(text) };
}
