import type { Spans, Timeline } from './timeline.ts';
import type { Call, Sample, Terms } from './trace.ts';

export interface RemainingTerms extends Terms {
  /** Nobody but this run has the key, even if it is not known which limit is enforced. */
  readonly alone?: boolean;
  /** The number that the deployment was found to enforce. A Remaining that fits it is accepted, too. */
  readonly enforced?: number | null;
  /** False if the limiter is known not to free calls one by one within the window. */
  readonly refills?: boolean;
  /** False if the limiter is no sliding counter of the documented size, which counts calls for two windows. */
  readonly mayWeigh?: boolean;
  /** The limiter has fixed windows, whose end calls by others do not move. */
  readonly isFixed?: boolean;
  /** The limiter is a sliding log that counts admitted calls alone. */
  readonly isLog?: boolean;
}

/**
 * Whether a call was rejected because of its request, and not for its key or its budget. Its Remaining must be right,
 * too.
 */
export const isRejected = ({ sample }: Call): boolean => [400, 403, 404].includes(sample.status);

/** A call, and the Remaining in its response. */
export interface Reading {
  readonly call: Call;
  readonly value: number;
}

/** Everything that the rules on Remaining look at. */
export interface Evidence {
  readonly terms: RemainingTerms;
  readonly timeline: Timeline;
  /** The calls whose responses have a Remaining of the minute's limit, in the order of sending. */
  readonly readings: readonly Reading[];
  /**
   * The calls with other keys whose responses show the same limit: they may draw on it, and be freed like the run's
   * own.
   */
  readonly others: Spans;
  /**
   * How many calls can have been counted by the time a call was answered: those with the key, those with other keys,
   * and refused ones, which may count. A refused call that was under way at the same time is left out, since it would
   * have been refused first.
   */
  readonly countedUntil: (call: Call) => Counts;
  /** How many calls of the same three kinds were certainly answered before a moment. */
  readonly countedBefore: (moment: number) => Counts;
}

type Counts = readonly number[];

export const countedBetween = (before: Counts, until: Counts): number =>
  until.reduce((sum, count, kind) => sum + Math.max(0, count - (before[kind] ?? 0)), 0);

/** How many of the calls since a moment can have been counted by the time a call was answered. */
export const countedBy = ({ countedUntil, countedBefore }: Evidence, call: Call, since: number): number =>
  countedBetween(countedBefore(since), countedUntil(call));

/** The calls that were admitted after a refusal, each with that refusal. */
export const returnsIn = (calls: readonly Call[]): ReadonlyMap<Call, Call> =>
  new Map(
    calls.flatMap((call, index) => {
      const before = calls[index - 1];
      const isReturn = call.outcome === 'admitted' && before?.outcome === 'refused' && before.to < call.from;
      return isReturn ? [[call, before] as const] : [];
    }),
  );

/** A wrong Remaining: what is wrong with it, and the call that got it. */
export interface WrongReading {
  readonly says: string;
  readonly sample: Sample;
}

/** How many earlier readings each reading is compared with. */
export const lookBack = 150;
