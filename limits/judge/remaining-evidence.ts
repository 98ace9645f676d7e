import type { Spans, Timeline } from './timeline.ts';
import type { Call, Sample, Terms } from './trace.ts';

export interface RemainingTerms extends Terms {
  /** Nobody but this run has the key; what it enforces is not known. */
  readonly alone?: boolean;
  /** The number that the deployment was found to enforce: a Remaining that is true of it is true. */
  readonly enforced?: number | null;
  /** The limiter is known not to give calls back one by one within the window. */
  readonly refills?: boolean;
  /** All calls come back at once, at the end of a window that others' calls do not move. */
  readonly isFixed?: boolean;
}

/** A call that was refused for what it asks, and not for want of a key or of a budget: it is told the truth as well. */
export const isRejected = ({ status }: Sample): boolean => [400, 403, 404].includes(status);

/** A call, and the Remaining that it was told. */
export interface Told {
  readonly call: Call;
  readonly value: number;
}

/** What every rule looks at: the calls that were told a Remaining of the minute's limit, in the order of sending. */
export interface Evidence {
  readonly terms: RemainingTerms;
  readonly timeline: Timeline;
  readonly told: readonly Told[];
  /** Calls without the key that were told of the same limit: they may draw on it, and are given back as well. */
  readonly others: Spans;
  /**
   * How many calls can have been counted when this one was answered: the run's, others' that were told of, and refused ones,
   * which may count, but none that was under way at once: it would have been refused first.
   */
  readonly countedUntil: (call: Call) => Counts;
  /** How many of each kind were over before a moment. */
  readonly countedBefore: (moment: number) => Counts;
}

type Counts = readonly number[];

export const countedBetween = (before: Counts, until: Counts): number =>
  until.reduce((sum, count, kind) => sum + Math.max(0, count - (before[kind] ?? 0)), 0);

/** How many calls can have been counted when one was answered, of those made since a moment. */
export const countedBy = ({ countedUntil, countedBefore }: Evidence, call: Call, since: number): number =>
  countedBetween(countedBefore(since), countedUntil(call));

/** What is wrong with a value, and the call that was told it. */
export interface Wrong {
  readonly says: string;
  readonly sample: Sample;
}

/** How many of the values told before it each one is compared with. */
export const lookBack = 150;
