import { minuteMs } from '../contract/limits.ts';

/** Calls that drew on one budget of the minute. */
export interface Budget {
  /** Of the key, as reports name it; `workspace` for all keys of the workspace. */
  readonly label: string;
  readonly perMinute: number;
  readonly calls: number;
  /** Those that were answered, and not with 429. */
  readonly admitted: number;
}

/** A time in which somebody waited for something, epoch milliseconds. */
export interface Waited {
  readonly what: string;
  readonly from: number;
  readonly until: number;
}

/** Where the time of a run went. */
export interface Timing {
  /** The least that the documented limits allow for the calls that were made, in milliseconds. */
  readonly leastMs: number;
  /** The budget that requires it; null: none requires any. */
  readonly slowest: Budget | null;
  /** What was waited for, the longest first; waits side by side count once, those for different things each. */
  readonly waits: readonly { readonly what: string; readonly ms: number }[];
}

/** Shorter waits are not reported, in milliseconds. */
const leastWait = 500;

/** Windows of a minute pass `clockSpeed` times as fast as real time. Pure. */
export function timingOf(budgets: readonly Budget[], waited: readonly Waited[], clockSpeed: number): Timing {
  const timeOf = ({ admitted, perMinute }: Budget): number =>
    (Math.floor(Math.max(0, admitted - 1) / perMinute) * minuteMs) / clockSpeed;
  const [slowest] = budgets.toSorted((a, b) => timeOf(b) - timeOf(a));
  const leastMs = slowest === undefined ? 0 : timeOf(slowest);
  const waits = [...Map.groupBy(waited, ({ what }) => what)]
    .map(([what, own]) => ({ what, ms: Math.round(lengthOf(own)) }))
    .filter(({ ms }) => ms >= leastWait)
    .sort((a, b) => b.ms - a.ms);
  return { leastMs, slowest: leastMs > 0 ? (slowest ?? null) : null, waits };
}

/** How long at least one of the spans lasted, in milliseconds. */
function lengthOf(spans: readonly Waited[]): number {
  let [end, length] = [-Infinity, 0];
  for (const { from, until } of spans.toSorted((a, b) => a.from - b.from)) {
    length += Math.max(0, until - Math.max(from, end));
    end = Math.max(end, until);
  }
  return length;
}
