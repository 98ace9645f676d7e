import {
  certainlyWithin,
  countBelow,
  justAfter,
  possiblyWithin,
  stretchesOf,
  type Timeline,
  timelineOf,
} from './timeline.ts';
import type { Fit } from './windows.ts';

const usable = (fit: Fit): Fit | null => (fit.low <= fit.high ? fit : null);

/** The most calls certainly admitted within one trailing window, wherever it lies. */
export function mostAdmitted({ admitted }: Timeline, windowMs: number, slack: number): number {
  return admitted.froms.reduce(
    (most, from) => Math.max(most, certainlyWithin(admitted, from, from + windowMs - slack)),
    0,
  );
}

/** The fewest calls that can have been admitted in the trailing window of a refusal; Infinity where none was refused. */
function fewestAtRefusal({ refused, possible }: Timeline, windowMs: number, slack: number): number {
  return refused.reduce(
    (fewest, { from, to }) => Math.min(fewest, possiblyWithin(possible, from - windowMs - slack, to)),
    Infinity,
  );
}

/** A refusal that no other refusal came before within a window. */
export interface FirstRefusal {
  /** The most calls that were admitted in the window before it. */
  readonly count: number;
  /** Nothing was called in the window before that one, either: there is nothing that a sliding counter could weigh. */
  readonly isIdle: boolean;
  /** Nothing was refused in the window before that one: whether refused calls count makes no difference. */
  readonly isClean: boolean;
}

/**
 * Each refusal that no other refusal came before within a window. With fewer than the limit admitted before it, it is false
 * under any fixed window, log or bucket, whatever is counted. (Of refusals under way at once any may have been the first.) One
 * that nothing at all was admitted before is a matter of recovery, and left out.
 */
export function firstRefusalsIn({ refused, possible, all }: Timeline, windowMs: number, slack: number): FirstRefusal[] {
  const found: FirstRefusal[] = [];
  let [firstTo, lastTo] = [Infinity, -Infinity];
  for (const { from, to } of refused) {
    const since = from - windowMs - slack;
    const count = possiblyWithin(possible, since, to);
    if (since > lastTo) {
      const isClean = since - windowMs > lastTo;
      found.push({ count, isClean, isIdle: possiblyWithin(all, since - windowMs, since) === 0 });
      [firstTo, lastTo] = [to, to];
    } else if (from <= firstTo) {
      const last = found.pop() as FirstRefusal;
      found.push({ ...last, count: Math.max(last.count, count) });
    }
    [firstTo, lastTo] = [Math.min(firstTo, to), Math.max(lastTo, to)];
  }
  return found.filter(({ count }) => count > 0);
}

/** The fewest calls admitted before such a refusal; Infinity where there was none. */
export const fewestIn = (refusals: readonly FirstRefusal[]): number =>
  Math.min(Infinity, ...refusals.map(({ count }) => count));

/** The most calls admitted in a row: from one return (a call that was let in after a refusal) to the next. */
export function mostInARow({ calls }: Timeline): number {
  let [most, row, refusedAt] = [0, 0, Infinity];
  for (const { from, to, outcome } of calls) {
    if (outcome === 'refused') {
      refusedAt = Math.min(refusedAt, to);
    } else if (outcome === 'admitted') {
      [row, refusedAt] = from > refusedAt ? [1, Infinity] : [row + 1, refusedAt];
      most = Math.max(most, row);
    }
  }
  return most;
}

/**
 * The most calls certainly admitted in the minute after a refusal. More than the limit, and one for rounding, is too many under any
 * limiter: a fixed window ends once in that time, and in all others what was let in counts for the rest of it.
 */
export function mostAfterRefusal({ refused, admitted }: Timeline, windowMs: number, slack: number): number {
  return refused.reduce(
    (most, { from, to }) => Math.max(most, certainlyWithin(admitted, justAfter(to), from + windowMs - slack)),
    0,
  );
}

/** The limits under which a sliding log that counts admitted calls explains the trace. */
export const fitLog = (timeline: Timeline, windowMs: number, slack: number): Fit | null =>
  usable({ low: mostAdmitted(timeline, windowMs, slack), high: fewestAtRefusal(timeline, windowMs, slack) });

/** The same for a log that counts refused calls too. */
export function fitCountingLog(timeline: Timeline, windowMs: number, slack: number): Fit | null {
  const { all, calls } = timeline;
  let low = mostAdmitted(timeline, windowMs, slack);
  let high = fewestIn(firstRefusalsIn(timeline, windowMs, slack));
  for (const { from, to, outcome } of calls) {
    if (outcome === 'admitted') {
      const before = countBelow(all.tos, from) - countBelow(all.froms, to - windowMs + slack, true);
      low = Math.max(low, before + 1);
    } else if (outcome === 'refused') {
      high = Math.min(high, possiblyWithin(all, from - windowMs - slack, to) - 1);
    }
  }
  return usable({ low, high });
}

/**
 * The limits of a limiter whose window each call begins anew, refused ones included: once full it lets nothing in until a
 * whole window has passed without a call.
 */
export function fitRenewed(timeline: Timeline, windowMs: number): Fit | null {
  let [low, high] = [0, Infinity];
  for (const calls of stretchesOf(timeline.calls, windowMs)) {
    const { admitted, possible, refused, refusalAfter } = timelineOf(calls);
    if (admitted.froms.some((from) => from > refusalAfter(-Infinity))) {
      return null;
    }
    low = Math.max(low, admitted.froms.length);
    high = refused.reduce((least, { to }) => Math.min(least, countBelow(possible.froms, to, true)), high);
  }
  return usable({ low, high });
}
