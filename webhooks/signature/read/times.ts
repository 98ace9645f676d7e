import type { TimeUnit } from '../scheme.ts';

/** A moment as it is read from a text. */
export interface ReadTime {
  readonly unit: TimeUnit;
  /** Epoch milliseconds. */
  readonly at: number;
}

const iso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const basic = /^(\d{4})(\d{2})(\d{2})T?(\d{2})(\d{2})(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?$/;
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const mailDate = /^(?:[A-Z][a-z]{2}, ?)?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:[+-]\d{4}|UTC?|Z|GMT)$/;

const digits: Readonly<Record<number, readonly [TimeUnit, number]>> = {
  10: ['s', 1_000],
  13: ['ms', 1],
  16: ['us', 1e-3],
  19: ['ns', 1e-6],
};

/** Reads a time from its form and length; undefined where the text is none. */
export function readTime(text: string): ReadTime | undefined {
  if (text.length > 40) {
    return undefined;
  }
  const [unit, factor] = (/^\d+$/.test(text) ? digits[text.length] : undefined) ?? [];
  if (unit !== undefined && factor !== undefined) {
    return { unit, at: Number(text) * factor };
  }
  if (/^\d{10}\.\d{1,9}$/.test(text)) {
    return { unit: 's-float', at: Number(text) * 1_000 };
  }
  if (/^(?:0x)?[0-9a-f]{8}$/i.test(text)) {
    return { unit: 's-hex', at: Number.parseInt(text, 16) * 1_000 };
  }
  const [form, parsed] = dateOf(text) ?? [];
  const at = parsed === undefined ? Number.NaN : Date.parse(parsed);
  return form === undefined || Number.isNaN(at) ? undefined : { unit: form, at };
}

/** The form of a calendar date, and what Date.parse reads as it. */
function dateOf(text: string): readonly [TimeUnit, string] | undefined {
  if (iso.test(text)) {
    return ['iso-8601', text];
  }
  if (httpDate.test(text)) {
    return ['http-date', text];
  }
  if (mailDate.test(text)) {
    return ['rfc-2822', text];
  }
  const [match, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = basic.exec(text) ?? [];
  return match === undefined
    ? undefined
    : ['iso-basic', `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`];
}

/** Writes a moment in a unit, the way services do: UTC, and whole numbers but for floats. */
export function writeTime(at: number, unit: TimeUnit): string {
  const ms = Math.floor(at);
  const write: Readonly<Record<TimeUnit, () => string>> = {
    s: () => String(Math.floor(ms / 1_000)),
    ms: () => String(ms),
    us: () => `${ms}000`,
    ns: () => `${ms}000000`,
    's-float': () => (ms / 1_000).toFixed(3),
    's-hex': () => Math.floor(ms / 1_000).toString(16),
    'iso-8601': () => new Date(ms).toISOString(),
    'iso-basic': () => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, ''),
    'http-date': () => new Date(ms).toUTCString(),
    'rfc-2822': () => new Date(ms).toUTCString().replace('GMT', '+0000'),
  };
  return write[unit]();
}
