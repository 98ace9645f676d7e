// Sliding windows: a log of the calls of the last minute, and what is near it: segments, and logs that count refusals.
import {
  certainlyWithin,
  countBelow,
  type Fit,
  type FitTerms,
  justAfter,
  possiblyWithin,
  stretchesOf,
  type Timeline,
  timelineOf,
} from './timeline.ts';

const usable = (fit: Fit): Fit[] => (fit.low <= fit.high ? [fit] : []);

/** The most calls certainly admitted within any one window's length. */
export function mostAdmitted({ admitted }: Timeline, windowMs: number, slack: number): number {
  return admitted.froms.reduce(
    (most, from) => Math.max(most, certainlyWithin(admitted, from, from + windowMs - slack)),
    0,
  );
}

/** The fewest calls that can have been admitted in the window before a refusal; Infinity if nothing was refused. */
function fewestAtRefusal({ refused, possible }: Timeline, windowMs: number, slack: number): number {
  return refused.reduce(
    (fewest, { from, to }) => Math.min(fewest, possiblyWithin(possible, from - windowMs - slack, to)),
    Infinity,
  );
}

/** A refusal without another refusal in the window before it. */
export interface FirstRefusal {
  /** The most calls that can have been admitted in the window before it. */
  readonly count: number;
  /** No call was made in the window before that one, so there is nothing that a sliding counter could weigh. */
  readonly isIdle: boolean;
  /** No call was refused in the window before that one, so it does not matter whether refused calls count. */
  readonly isClean: boolean;
}

/**
 * The refusals without another refusal in the window before them. With fewer than the limit admitted in that window,
 * such a refusal is wrong for any fixed window, log or bucket, whatever it counts. Of refusals under way at once, any
 * may have been the first. A refusal with nothing admitted before it is left out: it is about recovery.
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

/** The fewest calls admitted before a first refusal; Infinity if there is none. */
export const fewestIn = (refusals: readonly FirstRefusal[]): number =>
  Math.min(Infinity, ...refusals.map(({ count }) => count));

/**
 * The most calls certainly admitted in the minute after a refusal. More than the limit (and one for rounding) is too
 * many for any limiter: a fixed window ends only once in that time, and in all others an admitted call counts until the
 * minute is over.
 */
export function mostAfterRefusal({ refused, admitted }: Timeline, windowMs: number, slack: number): number {
  return refused.reduce(
    (most, { from, to }) => Math.max(most, certainlyWithin(admitted, justAfter(to), from + windowMs - slack)),
    0,
  );
}

/** A sliding log that counts admitted calls. */
export const fitLog = (timeline: Timeline, { windowMs, slack }: FitTerms): Fit[] =>
  usable({ low: mostAdmitted(timeline, windowMs, slack), high: fewestAtRefusal(timeline, windowMs, slack) });

/** The shortest and the longest time for which a window in segments holds a call, as shares of the window. */
const shortest = 1 / 2;
/** For this share of a window beyond its length, a window in segments may hold a call. */
export const heldLonger = 1 / 6;

/** A window in two segments or more, which frees the calls of a segment together. */
export const fitSegments = (timeline: Timeline, { windowMs, slack }: FitTerms): Fit[] =>
  usable({
    low: mostAdmitted(timeline, windowMs * shortest, slack),
    high: fewestAtRefusal(timeline, windowMs * (1 + heldLonger), slack),
  });

/** A sliding log that counts refused calls, too. */
export function fitCountingLog(timeline: Timeline, { windowMs, slack }: FitTerms): Fit[] {
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
 * A window that begins anew with each call, even a refused one, so that once it is full nothing is admitted until a whole
 * window has passed without a call.
 */
export function fitRenewed(timeline: Timeline, { windowMs }: FitTerms): Fit[] {
  let [low, high] = [0, Infinity];
  for (const calls of stretchesOf(timeline.calls, windowMs)) {
    const { admitted, possible, refused, refusalAfter } = timelineOf(calls);
    if (admitted.froms.some((from) => from > refusalAfter(-Infinity))) {
      return [];
    }
    low = Math.max(low, admitted.froms.length);
    high = refused.reduce((least, { to }) => Math.min(least, countBelow(possible.froms, to, true)), high);
  }
  return usable({ low, high });
}
