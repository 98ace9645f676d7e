import type { Range, Sample } from './trace.ts';

/** The first number of a header such as `60`, `60, 60;w=60` or `"permin";r=12`; null where there is none. */
export function firstNumber(text: string | null): number | null {
  const match = text === null ? null : /(?:^|[\s,;=])(-?\d+(?:\.\d+)?)/.exec(text);
  return match === null ? null : Number(match[1]);
}

/** Whether Limit shows the minute's number: Limit alone tells which window the three headers describe. */
export const showsMinute = (sample: Sample, limit: number): boolean => firstNumber(sample.limit) === limit;

export type ResetUnit =
  | 'epoch seconds'
  | 'epoch milliseconds'
  | 'seconds left'
  | 'milliseconds left'
  | 'date'
  | 'unknown'
  | 'absent';

/** How Reset moves while time passes: names one instant, counts down to it, or moves ahead with each call. */
export type ResetMotion = 'fixed' | 'counts down' | 'moves ahead' | 'unknown';

export interface ResetReading {
  readonly unit: ResetUnit;
  readonly motion: ResetMotion;
  /** The instant that a value names, on the client's clock, with the seconds' rounding; null where it is unknown. */
  readonly claims: (sample: Sample) => Range | null;
}

/** Server clock minus client clock, as an interval in ms, from the Date headers; null where there are none. */
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

function resetValue(sample: Sample, unit: ResetUnit): number | null {
  if (sample.reset === null) {
    return null;
  }
  if (unit === 'date') {
    return Date.parse(sample.reset);
  }
  const value = firstNumber(sample.reset);
  return value === null ? null : unit === 'epoch seconds' ? value * 1000 : value;
}

/** Slope of the first against the last value of one window, in units of the value per second; null where too close. */
function slope(first: Sample, last: Sample, unit: ResetUnit): number | null {
  const seconds = (last.sentAt - first.sentAt) / 1000;
  const [a, b] = [resetValue(first, unit), resetValue(last, unit)];
  return seconds < 2 || a === null || b === null ? null : (b - a) / seconds;
}

function absoluteMotion(rise: number | null): ResetMotion {
  if (rise === null) {
    return 'unknown';
  }
  return Math.abs(rise) < 300 ? 'fixed' : rise > 700 && rise < 1300 ? 'moves ahead' : 'unknown';
}

/** Reads the unit off magnitude and slope. `first` and `last` should be two calls of one window, 2 s apart or more. */
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
  const perSecond = rise === null ? (value > 86_400 ? -1000 : -1) : rise;
  if (perSecond < -500) {
    return { unit: 'milliseconds left', motion: 'counts down', claims: left(1) };
  }
  if (Math.abs(perSecond) < 0.3) {
    return { unit, motion: 'moves ahead', claims: left(1000) };
  }
  const motion = rise === null ? 'unknown' : Math.abs(perSecond + 1) < 0.5 ? 'counts down' : 'unknown';
  return { unit, motion, claims: left(1000) };
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
