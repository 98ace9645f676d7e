import {
  countBelow,
  type Fit,
  type FitTerms,
  possiblyWithin,
  rangeOf,
  stretchesOf,
  type Timeline,
} from './timeline.ts';
import type { Range } from './trace.ts';

const roundedUp = (value: number): number => Math.ceil(value - 1e-6);

/**
 * The smallest size that admits all these calls: in any stretch, a bucket admits no more than its size and its refill.
 */
function lowOf({ admitted, span }: Timeline, points: readonly Range[], rate: number): number {
  let low = 1;
  let most = -Infinity;
  for (const { from, to } of points) {
    most = Math.max(most, rate * (from - span.from) - countBelow(admitted.froms, from));
    const until = countBelow(admitted.froms, to, true);
    low = Math.max(low, roundedUp(until - rate * (to - span.from) + most));
  }
  return low;
}

/**
 * The largest size that refuses all these calls: since it was last full, calls took all its tokens but a part of one.
 */
function highOf({ possible, refused, span }: Timeline, points: readonly Range[], rate: number): number {
  const before = points.map(({ from }) => countBelow(possible.froms, from));
  const ends = points.map(({ to }) => to);
  let high = Infinity;
  let point = 0;
  let most = -Infinity;
  for (const call of refused) {
    for (; (ends[point] as number) < call.to; point += 1) {
      most = Math.max(most, rate * ((ends[point] as number) - span.from) - (before[point] as number));
    }
    const made = countBelow(possible.froms, call.to, true);
    const sinceFull = roundedUp(made + 1 - rate * (call.from - span.from) + most) - 1;
    high = Math.min(high, Math.max(made - (before[point] as number), sinceFull));
  }
  return high;
}

/** Whether a token must have come back between two refusals with no admission between them; then there is no bucket. */
function isRefusedAfterRefill({ refused, possible }: Timeline, rate: number): boolean {
  return refused.some((call, index) => {
    const before = refused[index - 1];
    return (
      before !== undefined &&
      rate * (call.from - before.to) > 1.01 &&
      possiblyWithin(possible, before.from, call.to) === 0
    );
  });
}

/** Calls less than this share of a window apart are taken as one point in time. */
const gapShare = 1 / 200;

/**
 * A bucket of any size that is refilled at the documented rate: the token bucket, GCRA and plain spacing (a bucket of one
 * or two).
 */
export function fitBucket(timeline: Timeline, { limit, windowMs }: FitTerms): Fit[] {
  const rate = limit / windowMs;
  if (isRefusedAfterRefill(timeline, rate)) {
    return [];
  }
  const points = stretchesOf(timeline.calls, windowMs * gapShare).map(rangeOf);
  const low = lowOf(timeline, points, rate);
  const high = highOf(timeline, points, rate);
  return low <= high ? [{ low, high }] : [];
}
