import type { Range, Sample } from './trace.ts';

/** The first number of a header such as `60`, `60, 60;w=60` or `"permin";r=12`; null if there is none. */
export function firstNumber(text: string | null): number | null {
  const match = text === null ? null : /(?:^|[\s,;=])(-?\d+(?:\.\d+)?)/.exec(text);
  return match === null ? null : Number(match[1]);
}

/** The three headers of a limit, as they came. */
type LimitHeaders = Pick<Sample, 'limit' | 'remaining' | 'reset'>;

/** The items of a header, which may be several lines. The comma in a date separates nothing. */
const itemsOf = (text: string | null): string[] =>
  text === null ? [] : text.split(/,(?!\s*\d\d[ -][A-Za-z]{3}[ -])/).map((item) => item.trim());

/** A part of Limit that describes a limit, and is none by itself: `60;w=60` after `60`. */
const isPolicy = (item: string): boolean => item.includes(';');

/**
 * The headers of the limit with that number. A gateway with a limit of its own writes its values beside the service's, as
 * lines or in a list: values of one place belong together. null: Limit shows another number, or two limits stand in one
 * header and nothing tells whose Remaining it is.
 */
export function headersOfLimit<T extends LimitHeaders>(sample: T, limit: number): T | null {
  const limits = itemsOf(sample.limit);
  const [remaining, reset] = [itemsOf(sample.remaining), itemsOf(sample.reset)];
  if (remaining.length < 2) {
    const others = limits
      .slice(1)
      .filter((item) => !isPolicy(item) && firstNumber(item) !== firstNumber(limits[0] ?? ''));
    return firstNumber(sample.limit) === limit && others.length === 0 ? sample : null;
  }
  const at = limits.length === remaining.length ? limits.findIndex((item) => firstNumber(item) === limit) : -1;
  const isOther = (item: string, place: number): boolean =>
    firstNumber(limits[place] ?? '') === limit && item !== remaining[at];
  return at < 0 || remaining.some(isOther)
    ? null
    : {
        ...sample,
        limit: limits[at] ?? null,
        remaining: remaining[at] ?? null,
        reset: reset.length === limits.length ? (reset[at] ?? null) : reset.length < 2 ? sample.reset : null,
      };
}

/** Whether the three headers describe the minute's window: only if Limit shows the minute's number. */
export const showsMinute = (sample: LimitHeaders, limit: number): boolean => headersOfLimit(sample, limit) !== null;

/** Remaining of the minute's limit; null where the headers do not show it. */
export const minuteRemaining = (sample: LimitHeaders, limit: number): number | null =>
  firstNumber(headersOfLimit(sample, limit)?.remaining ?? null);

/** Whether the headers carry the values of several limits, and not those of this one alone. */
export const hasSeveralLimits = ({ limit, remaining }: LimitHeaders): boolean =>
  Math.max(itemsOf(limit).filter((item) => !isPolicy(item)).length, itemsOf(remaining).length) > 1;

export type ResetUnit =
  | 'epoch seconds'
  | 'epoch milliseconds'
  | 'seconds left'
  | 'milliseconds left'
  | 'date'
  | 'unknown'
  | 'absent';

/** How Reset changes over time: it names one instant, counts down to it, or moves ahead with each call. */
export type ResetMotion = 'fixed' | 'counts down' | 'moves ahead' | 'unknown';

export interface ResetReading {
  readonly unit: ResetUnit;
  readonly motion: ResetMotion;
  /**
   * The instant that a sample's Reset names, on the client's clock, give or take its rounding; null if that is unknown.
   */
  readonly claims: (sample: Sample) => Range | null;
}

/**
 * The server's clock minus the client's, as a range in ms, from Date headers; null if there are none, or they
 * contradict each other.
 */
export function clockOffset(samples: readonly Sample[]): Range | null {
  let from = -Infinity;
  let to = Infinity;
  for (const sample of samples) {
    const date = sample.date === null ? NaN : Date.parse(sample.date);
    if (Number.isNaN(date)) {
      continue;
    }
    from = Math.max(from, date - sample.receivedAt);
    to = Math.min(to, date + 1000 - sample.sentAt);
  }
  return from === -Infinity || from > to ? null : { from, to };
}

/** The unit that a value's form and size suggest. Milliseconds left are taken for seconds. */
function magnitude(text: string, value: number | null): ResetUnit {
  if (/[A-Za-z]{3}|\d{4}-\d\d-\d\d/.test(text)) {
    return Number.isNaN(Date.parse(text)) ? 'unknown' : 'date';
  }
  if (value === null) {
    return 'unknown';
  }
  if (value > 1e11) {
    return 'epoch milliseconds';
  }
  if (value > 1e8) {
    return 'epoch seconds';
  }
  return 'seconds left';
}

/** The value of Reset; in ms if it is an instant. */
function resetValue(sample: Sample, unit: ResetUnit): number | null {
  if (sample.reset === null) {
    return null;
  }
  if (unit === 'date') {
    return Date.parse(sample.reset);
  }
  const value = firstNumber(sample.reset);
  return value !== null && unit === 'epoch seconds' ? value * 1000 : value;
}

/** How much Reset rises per second between two calls; null if they are less than 2 s apart. */
function slope(first: Sample, last: Sample, unit: ResetUnit): number | null {
  const seconds = (last.sentAt - first.sentAt) / 1000;
  const [a, b] = [resetValue(first, unit), resetValue(last, unit)];
  return seconds < 2 || a === null || b === null ? null : (b - a) / seconds;
}

function absoluteMotion(rise: number | null): ResetMotion {
  if (rise === null) {
    return 'unknown';
  }
  if (Math.abs(rise) < 300) {
    return 'fixed';
  }
  return rise > 700 && rise < 1300 ? 'moves ahead' : 'unknown';
}

/**
 * Finds out the unit of Reset from its size and from how it changes. `first` and `last` should be two calls of one
 * window, 2 s apart or more; `offset` is the server's clock minus the client's.
 */
export function readReset(first: Sample, last: Sample, offset: Range | null): ResetReading {
  if (first.reset === null) {
    return { unit: 'absent', motion: 'unknown', claims: () => null };
  }
  const unit = magnitude(first.reset, firstNumber(first.reset));
  if (unit === 'unknown') {
    return { unit, motion: 'unknown', claims: () => null };
  }
  const rise = slope(first, last, unit);
  if (unit !== 'seconds left') {
    return { unit, motion: absoluteMotion(rise), claims: absolute(unit, offset) };
  }
  const value = firstNumber(first.reset) ?? 0;
  // Without a rise to go by, a value longer than a day in seconds is taken for milliseconds.
  const perSecond = rise ?? (value > 86_400 ? -1000 : -1);
  if (perSecond < -500) {
    return { unit: 'milliseconds left', motion: 'counts down', claims: left(1) };
  }
  if (Math.abs(perSecond) < 0.3) {
    return { unit, motion: 'moves ahead', claims: left(1000) };
  }
  const countsDown = rise !== null && Math.abs(perSecond + 1) < 0.5;
  return { unit, motion: countsDown ? 'counts down' : 'unknown', claims: left(1000) };
}

const rounding = 1000;

function absolute(unit: ResetUnit, offset: Range | null): ResetReading['claims'] {
  return (sample) => {
    const at = resetValue(sample, unit);
    if (at === null || offset === null) {
      return null;
    }
    return { from: at - offset.to - rounding, to: at - offset.from + rounding };
  };
}

function left(scale: number): ResetReading['claims'] {
  return (sample) => {
    const value = firstNumber(sample.reset);
    if (value === null) {
      return null;
    }
    return { from: sample.sentAt + value * scale - rounding, to: sample.receivedAt + value * scale + rounding };
  };
}
