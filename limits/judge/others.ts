// Signs that others call with the key, too: what Remaining shows of them, and windows that admit unequal numbers.
import { minuteRemaining } from './headers.ts';
import { ascending, countBelow, type Spans, type Timeline } from './timeline.ts';
import type { Call, Terms } from './trace.ts';

export interface RemainingTerms extends Terms {
  /** The number that the deployment was found to enforce. A Remaining that fits it is accepted, too. */
  readonly enforced?: number | null;
  /** False if the limiter is known not to free calls one by one within the window. */
  readonly refills?: boolean;
}

/** A call, and the Remaining in its response. */
export interface Reading {
  readonly call: Call;
  readonly value: number;
}

/** Everything that the rules on Remaining look at. */
export interface RemainingEvidence {
  readonly terms: RemainingTerms;
  readonly timeline: Timeline;
  /** The calls whose responses have a Remaining of the minute's limit, in the order of sending. */
  readonly readings: readonly Reading[];
  /** The calls with other keys whose responses show the same limit: they may draw on it. */
  readonly others: Spans;
}

/** How many calls may have been counted in all by the time of a response, and were certainly counted before a call. */
function countsOf({ timeline, others }: RemainingEvidence): Record<'until' | 'before', (call: Call) => number> {
  const { possible, refused } = timeline;
  const refusedTos = ascending(refused.map(({ to }) => to));
  return {
    // Refused calls may count. One that was under way at the same time was not refused before this one was counted.
    until: ({ from, to }) =>
      countBelow(possible.froms, to, true) + countBelow(others.froms, to, true) + countBelow(refusedTos, from),
    before: ({ from }) => countBelow(possible.tos, from) + countBelow(others.tos, from) + countBelow(refusedTos, from),
  };
}

/** A fall of Remaining between two calls, and by how many calls it exceeds those that this run made meanwhile. */
interface Fall {
  readonly calls: number;
  readonly earlier: Reading;
  readonly later: Reading;
}

/** The one that calls by others must explain most of; null if there is none. */
const furthest = <T extends Pick<Fall, 'calls'>>(all: readonly T[]): T | null =>
  all.reduce<T | null>((most, one) => (most === null || one.calls > most.calls ? one : most), null);

/** The fall that calls by others must explain most of; null if there are not two readings. */
export function furthestFall(evidence: RemainingEvidence): Fall | null {
  const { until, before } = countsOf(evidence);
  // Other routes may have a budget of their own, or none.
  const plain = evidence.readings.filter(({ call }) => call.sample.route === undefined);
  const levels = plain
    .map((earlier) => ({ earlier, level: earlier.value + before(earlier.call) }))
    .sort((a, b) => b.level - a.level);
  // A refused call may itself have been counted.
  const laterOnes = plain.filter(({ call }) => call.outcome !== 'refused');
  return furthest(
    laterOnes.flatMap((later): Fall[] => {
      const highest = levels.find(({ earlier }) => earlier.call.to < later.call.from);
      // The earlier call is among those counted, but its own Remaining includes it.
      return highest === undefined
        ? []
        : [{ ...highest, later, calls: highest.level - later.value - until(later.call) + 1 }];
    }),
  );
}

/** The reading that is furthest below `limit` less all calls that can have been counted by then, and by how much. */
export function furthestBelow(evidence: RemainingEvidence, limit: number): Pick<Fall, 'calls' | 'later'> | null {
  const { until } = countsOf(evidence);
  return furthest(evidence.readings.map((later) => ({ calls: limit - later.value - until(later.call), later })));
}

/** How many calls by others must have been counted: before the run's first call or between two of its calls. */
export const uncounted = (evidence: RemainingEvidence): number =>
  Math.max(0, furthestBelow(evidence, evidence.terms.limit)?.calls ?? 0, furthestFall(evidence)?.calls ?? 0);

/** The admitted calls from one return to the next, the first call that is admitted after a refusal. */
function rowsOf(calls: readonly Call[]): { readonly admitted: Call[]; isEnded: boolean }[] {
  const rows: { readonly admitted: Call[]; isEnded: boolean }[] = [];
  let refusedAt = Infinity;
  for (const call of calls) {
    if (call.outcome === 'admitted') {
      if (rows.length === 0 || call.from > refusedAt) {
        rows.push({ admitted: [], isEnded: false });
        refusedAt = Infinity;
      }
      rows.at(-1)?.admitted.push(call);
    } else if (call.outcome === 'refused') {
      refusedAt = Math.min(refusedAt, call.to);
      const row = rows.at(-1);
      if (row !== undefined) {
        row.isEnded = true;
      }
    }
  }
  return rows;
}

/** The most calls admitted from one return to the next. */
export const mostInARow = ({ calls }: Timeline): number =>
  rowsOf(calls).reduce((most, { admitted }) => Math.max(most, admitted.length), 0);

/** The admitted calls of each fill: a row that a refusal ended. */
const fillsOf = (calls: readonly Call[]): Call[][] =>
  rowsOf(calls).flatMap(({ admitted, isEnded }) => (isEnded ? [admitted] : []));

/** The values of Remaining that the calls of a fill got, from the highest down. */
const remainingIn = (fill: readonly Call[], limit: number): number[] =>
  fill.flatMap(({ sample }) => minuteRemaining(sample, limit) ?? []).sort((a, b) => b - a);

/** Whether one fill had the whole limit and another less. No deployment does that by itself, so others used the key. */
export function admitsUnevenly(calls: readonly Call[], limit: number): boolean {
  const sizes = fillsOf(calls).map((fill) => fill.length);
  return sizes.includes(limit) && sizes.some((size) => size >= limit / 2 && size < limit);
}

/**
 * Whether two fills or more had the same number of calls, fewer than the limit, with the same values of Remaining: the
 * limiter itself admits that many, since calls by others would come at other moments of each window. Values that are
 * missing before the burst show nothing: others may have called before it each time.
 */
export function fillsAlike(calls: readonly Call[], limit: number): boolean {
  const fills = fillsOf(calls).filter((fill) => fill.length >= limit / 2);
  const shapes = new Set(fills.map((fill) => remainingIn(fill, limit).join()));
  const isWhole = (fill: readonly Call[]): boolean => {
    const burst = fill.slice(
      Math.max(
        0,
        fill.findIndex((call, index) => call.to >= (fill[index + 1]?.from ?? Infinity)),
      ),
    );
    const values = remainingIn(fill, limit);
    const above = (values[0] ?? 0) - (remainingIn(burst, limit)[0] ?? 0);
    return values.length === fill.length && above === fill.length - burst.length;
  };
  return fills.length > 1 && shapes.size === 1 && fills.every(isWhole);
}

/** Whether the first fill has the whole limit, and its calls got every Remaining down to 0 (or 1) once: nobody else called. */
export function countsDownExactly(calls: readonly Call[], limit: number): boolean {
  const fill = fillsOf(calls)[0] ?? [];
  const values = remainingIn(fill, limit);
  const [top] = values;
  return (
    fill.length === limit &&
    values.length === limit &&
    (top === limit || top === limit - 1) &&
    values.every((value, index) => value === top - index)
  );
}
