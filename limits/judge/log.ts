// Sliding windows: a log of the calls of the last minute, and what is near it: segments, and logs that count refusals.
import { fewestAtRefusal, fewestIn, firstRefusalsIn, mostAdmitted } from './refusals.ts';
import {
  countBelow,
  type Fit,
  type FitTerms,
  possiblyWithin,
  stretchesOf,
  type Timeline,
  timelineOf,
} from './timeline.ts';

const usable = (fit: Fit): Fit[] => (fit.low <= fit.high ? [fit] : []);

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
  let low = 0;
  let high = Infinity;
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
