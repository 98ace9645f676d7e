import type { Call, Range } from './trace.ts';

/** Calls of one kind: when they may have been decided at the earliest and at the latest, each list ascending. */
export interface Spans {
  readonly froms: readonly number[];
  readonly tos: readonly number[];
}

/** A trace, sorted once for every limiter that is tried on it. */
export interface Timeline {
  /** In the order in which they were sent; at least one. */
  readonly calls: readonly Call[];
  readonly all: Spans;
  readonly admitted: Spans;
  /** Whatever may have been counted: admitted, or without a response that tells. */
  readonly possible: Spans;
  readonly refused: readonly Call[];
  /** When the first call was sent and the last response was there. */
  readonly span: Range;
  /** The earliest response to a refused call that was sent at this moment or later; Infinity where there is none. */
  readonly refusalAfter: (moment: number) => number;
  /** When the last admitted call was sent of those answered by this moment; -Infinity where there is none. */
  readonly admissionBefore: (moment: number) => number;
}

/** Counts how many of the ascending `sorted` are below `x`, or not above it where `orEqual`. */
export function countBelow(sorted: readonly number[], x: number, orEqual = false): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] as number;
    if (value < x || (orEqual && value === x)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

export const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** The greatest value so far, from the first one on. */
function runningMost(values: readonly number[]): number[] {
  let most = -Infinity;
  return values.map((value) => (most = Math.max(most, value)));
}

const spansOf = (calls: readonly Call[]): Spans => ({
  froms: ascending(calls.map(({ from }) => from)),
  tos: ascending(calls.map(({ to }) => to)),
});

/** The calls between two pauses of at least so long, in the order of sending. */
export function stretchesOf(calls: readonly Call[], pauseMs: number): Call[][] {
  const stretches: Call[][] = [];
  let until = -Infinity;
  for (const call of calls) {
    if (call.from - until >= pauseMs) {
      stretches.push([]);
    }
    stretches.at(-1)?.push(call);
    until = Math.max(until, call.to);
  }
  return stretches;
}

/** From the first of these calls to the last response. */
export const rangeOf = (calls: readonly Call[]): Range => ({
  from: calls[0]?.from ?? 0,
  to: calls.reduce((latest, { to }) => Math.max(latest, to), -Infinity),
});

/** `calls`: in the order of sending, at least one. */
export function timelineOf(calls: readonly Call[]): Timeline {
  const all = spansOf(calls);
  const admitted = calls.filter(({ outcome }) => outcome === 'admitted').sort((a, b) => a.to - b.to);
  const refused = calls.filter(({ outcome }) => outcome === 'refused');
  const admittedTos = admitted.map(({ to }) => to);
  const latest = runningMost(admitted.map(({ from }) => from));
  const refusedFroms = refused.map(({ from }) => from);
  const earliest = runningMost(refused.map(({ to }) => -to).reverse())
    .map((to) => -to)
    .reverse();
  return {
    calls,
    all,
    admitted: spansOf(admitted),
    possible: spansOf(calls.filter(({ outcome }) => outcome !== 'refused')),
    refused,
    span: { from: all.froms[0] ?? 0, to: all.tos.at(-1) ?? 0 },
    refusalAfter: (moment) => earliest[countBelow(refusedFroms, moment)] ?? Infinity,
    admissionBefore: (moment) => latest[countBelow(admittedTos, moment, true) - 1] ?? -Infinity,
  };
}

/** Just after a moment: what was sent in the same millisecond may have been decided before. */
export const justAfter = (moment: number): number => moment + 0.001;

/** At least so many were decided between the two moments, wherever each decision fell. */
export const certainlyWithin = ({ froms, tos }: Spans, from: number, to: number): number =>
  Math.max(0, countBelow(tos, to, true) - countBelow(froms, from));

/** At most so many were decided between the two moments. */
export const possiblyWithin = ({ froms, tos }: Spans, from: number, to: number): number =>
  Math.max(0, countBelow(froms, to, true) - countBelow(tos, from));

/** How far client and server clock may drift apart over the span of a trace, with their rounding to a millisecond. */
export const clockSlack = (windowMs: number, spanMs = 0): number => 2 + Math.max(windowMs / 6000, spanMs / 20_000);
