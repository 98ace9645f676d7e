/** How services write a time in each unit: in UTC, and as whole numbers except for floats. */
const writers = {
  s: (ms) => String(Math.floor(ms / 1_000)),
  ms: (ms) => String(ms),
  us: (ms) => `${ms}000`,
  ns: (ms) => `${ms}000000`,
  /** 1790510400.123 */
  's-float': (ms) => (ms / 1_000).toFixed(3),
  /** 6ab8fd00 */
  's-hex': (ms) => Math.floor(ms / 1_000).toString(16),
  'iso-8601': (ms) => new Date(ms).toISOString(),
  /** 20260927T120000Z */
  'iso-basic': (ms) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, ''),
  'http-date': (ms) => new Date(ms).toUTCString(),
  /** Sun, 27 Sep 2026 12:00:00 +0000 */
  'rfc-2822': (ms) => new Date(ms).toUTCString().replace('GMT', '+0000'),
} as const satisfies Readonly<Record<string, (ms: number) => string>>;

export type TimeUnit = keyof typeof writers;
export const timeUnits = Object.keys(writers) as TimeUnit[];

/** A time (epoch milliseconds) written in a unit. */
export const writeTime = (at: number, unit: TimeUnit): string => writers[unit](Math.floor(at));

/** A time that was read from a text. */
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

/** Reads a time by its form and length; undefined if the text is not a time. */
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

/** The form of a calendar date, and the text to give to Date.parse. */
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
