import type { Call, Range } from './trace.ts';

/**
 * When the calls of one kind may have been decided: the earliest moments and the latest ones, each in ascending order.
 */
export interface Spans {
  readonly froms: readonly number[];
  readonly tos: readonly number[];
}

/** What a limiter is fitted with: the documented limit, the window, and how far clocks may be off, in ms. */
export interface FitTerms {
  readonly limit: number;
  readonly windowMs: number;
  readonly slack: number;
}

/**
 * The limits at which a limiter explains a trace: at least `low`, since so many were admitted, at most `high`, since a
 * call was refused; and in which range the phase of its windows is, if they have one.
 */
export interface Fit {
  readonly low: number;
  readonly high: number;
  readonly phase?: Range;
}

/** The calls of a trace, sorted once for all limiters that are tried on it. */
export type Timeline = Readonly<ReturnType<typeof timelineOf>>;

/** How many of the ascending values are below `x`; with `orEqual`, below or equal to it. */
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

/** For each value, the highest one up to it. */
function runningMaximum(values: readonly number[]): number[] {
  let most = -Infinity;
  return values.map((value) => (most = Math.max(most, value)));
}

const spansOf = (calls: readonly Call[]): Spans => ({
  froms: ascending(calls.map(({ from }) => from)),
  tos: ascending(calls.map(({ to }) => to)),
});

/** The calls, in the order of sending, divided wherever nothing was under way for at least `pauseMs`. */
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

/** From the sending of the first of these calls to the last response. */
export const rangeOf = (calls: readonly Call[]): Range => ({
  from: calls[0]?.from ?? 0,
  to: calls.reduce((latest, { to }) => Math.max(latest, to), -Infinity),
});

/** The timeline of calls, which must be in the order of sending. */
export function timelineOf(calls: readonly Call[]) {
  const all = spansOf(calls);
  const admitted = calls.filter(({ outcome }) => outcome === 'admitted').sort((a, b) => a.to - b.to);
  const refused = calls.filter(({ outcome }) => outcome === 'refused');
  const admittedTos = admitted.map(({ to }) => to);
  const latest = runningMaximum(admitted.map(({ from }) => from));
  const refusedFroms = refused.map(({ from }) => from);
  const earliest = runningMaximum(refused.map(({ to }) => -to).reverse())
    .map((to) => -to)
    .reverse();
  return {
    calls,
    all,
    admitted: spansOf(admitted),
    /** The calls that may have been counted: admitted ones, and those whose response leaves it open. */
    possible: spansOf(calls.filter(({ outcome }) => outcome !== 'refused')),
    refused,
    /** From the sending of the first call to the last response. */
    span: { from: all.froms[0] ?? 0, to: all.tos.at(-1) ?? 0 },
    /** The earliest response to a refused call that was sent at this moment or later; Infinity if there is none. */
    refusalAfter: (moment: number): number => earliest[countBelow(refusedFroms, moment)] ?? Infinity,
    /** When the last of the admitted calls was sent that were answered by this moment; -Infinity if there is none. */
    admissionBefore: (moment: number): number => latest[countBelow(admittedTos, moment, true) - 1] ?? -Infinity,
  };
}

/** The same timeline with only the calls that were not refused held against a limiter. */
export const withoutRefusals = (timeline: Timeline): Timeline => ({ ...timeline, refused: [] });

/** A moment after this one. A call that was sent in the same millisecond may have been decided before it. */
export const justAfter = (moment: number): number => moment + 0.001;

/** How many calls were certainly decided between two moments, wherever in its span each decision fell. */
export const certainlyWithin = ({ froms, tos }: Spans, from: number, to: number): number =>
  Math.max(0, countBelow(tos, to, true) - countBelow(froms, from));

/** How many calls can have been decided between two moments. */
export const possiblyWithin = ({ froms, tos }: Spans, from: number, to: number): number =>
  Math.max(0, countBelow(froms, to, true) - countBelow(tos, from));

/**
 * How far the clocks of client and server may drift apart over a trace, in ms, with their rounding to a millisecond.
 */
export const clockSlack = (windowMs: number, spanMs = 0): number => 2 + Math.max(windowMs / 6000, spanMs / 20_000);
