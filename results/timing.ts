import { minuteMs } from '../contract/limits.ts';

/** The calls that drew on one per-minute budget. */
export interface Budget {
  /** The key's name in reports; `workspace` for the budget that all keys of the workspace share. */
  readonly label: string;
  readonly perMinute: number;
  readonly calls: number;
  /** How many of them were answered with another status than 429. */
  readonly admitted: number;
  /** How many of them kept to the documented pace, and were not refused with 429. A drive over the limit does not. */
  readonly paced: number;
}

/** A span of time in which a part of the run waited for something; epoch milliseconds. */
export interface Waited {
  readonly what: string;
  readonly from: number;
  readonly until: number;
}

/** What the time of a run was spent on. */
export type Timing = ReturnType<typeof timingOf>;

/** Shorter waits are not reported. */
const leastWaitMs = 500;

/**
 * Sums up a run's time. `clockSpeed` is the setting CLOCK_SPEED: how many times as fast as real time a minute's window
 * passes.
 */
export function timingOf(budgets: readonly Budget[], waited: readonly Waited[], clockSpeed: number) {
  const timeOf = ({ paced, perMinute }: Budget): number =>
    (Math.floor(Math.max(0, paced - 1) / perMinute) * minuteMs) / clockSpeed;
  const [slowest] = budgets.toSorted((a, b) => timeOf(b) - timeOf(a));
  const leastMs = slowest === undefined ? 0 : timeOf(slowest);
  const waits = [...Map.groupBy(waited, ({ what }) => what)]
    .map(([what, own]) => ({ what, ms: Math.round(lengthOf(own)) }))
    .filter(({ ms }) => ms >= leastWaitMs)
    .sort((a, b) => b.ms - a.ms);
  return {
    /** The shortest time in which the documented limits allow the calls that kept to their pace. */
    leastMs,
    /** The budget that requires `leastMs`; null if that is 0. */
    slowest: leastMs > 0 ? (slowest ?? null) : null,
    /** What was waited for, and how long, the longest first. Simultaneous waits for the same thing count once. */
    waits,
  };
}

/** For how many milliseconds at least one of the spans was going on. */
function lengthOf(spans: readonly Waited[]): number {
  let end = -Infinity;
  let length = 0;
  for (const { from, until } of spans.toSorted((a, b) => a.from - b.from)) {
    length += Math.max(0, until - Math.max(from, end));
    end = Math.max(end, until);
  }
  return length;
}
