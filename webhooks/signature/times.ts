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

/** How the times of each unit look. */
const forms: readonly (readonly [TimeUnit, RegExp])[] = [
  ['s', /^\d{10}(?:\.\d{1,9})?$/],
  ['ms', /^\d{13}$/],
  ['iso', /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/],
  ['http', /^(?:[A-Z][a-z]{2}, ?)?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/],
];

/** The unit of a time, told by its form and length; undefined if the text is not a time. */
export const unitOfTime = (text: string): TimeUnit | undefined => forms.find(([, form]) => form.test(text))?.[0];
