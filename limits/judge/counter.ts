// A sliding counter: it adds the calls of the fixed window before, weighed by the share that is less than a minute old.
import { gridWindows, highestIn, type Window } from './fixed.ts';
import { certainlyWithin, countBelow, type Fit, type FitTerms, possiblyWithin, type Timeline } from './timeline.ts';
import type { Call } from './trace.ts';

/** One window of a sliding counter, with how many calls were certainly and possibly counted in it. */
interface Counted {
  readonly window: Window;
  readonly certain: number;
  readonly possible: number;
}

const share = (from: number, to: number, windowMs: number): number => Math.min(1, Math.max(0, (to - from) / windowMs));

/**
 * The lowest limit that admits this window's certain admissions, if the window before had `weight` calls. The weighed
 * count is rounded down, since implementations round it up, down or not at all.
 */
function lowIn({ admitted }: Timeline, { window, certain }: Counted, weight: number, windowMs: number): number {
  if (weight === 0) {
    return certain;
  }
  const first = countBelow(admitted.tos, window.start.high);
  const end = countBelow(admitted.tos, window.end.low, true);
  // Calls that were sent before the window began may belong to the window before.
  const early = end - first - certain;
  let low = certain;
  for (let index = first + Math.max(0, early); index < end; index += 1) {
    const kept = weight * (1 - share(window.start.low, admitted.tos[index] as number, windowMs));
    low = Math.max(low, index - first - early + 1 + Math.floor(kept));
  }
  return low;
}

/** The highest limit at which this call can have been refused in this window. */
function highIn({ possible }: Timeline, call: Call, { window }: Counted, before: number, windowMs: number): number {
  const kept = before * (1 - share(window.start.high, call.from, windowMs));
  return Math.ceil(kept) + possiblyWithin(possible, window.start.low, Math.min(call.to, window.end.high));
}

function fitAt(timeline: Timeline, windows: readonly Window[], windowMs: number): Fit | null {
  const counted = windows.map(
    (window): Counted => ({
      window,
      certain: certainlyWithin(timeline.admitted, window.start.high, window.end.low),
      possible: possiblyWithin(timeline.possible, window.start.low, window.end.high),
    }),
  );
  const low = counted.reduce(
    (least, one, index) => Math.max(least, lowIn(timeline, one, counted[index - 1]?.certain ?? 0, windowMs)),
    0,
  );
  const high = highestIn(timeline, windows, (call, index) =>
    highIn(timeline, call, counted[index] as Counted, counted[index - 1]?.possible ?? 0, windowMs),
  );
  return low <= high ? { low, high } : null;
}

/** All phases are tried, divided into this many ranges. */
const ranges = 240;

/** A sliding counter whose windows have any phase. */
export function fitCounter(timeline: Timeline, terms: FitTerms): Fit[] {
  const { windowMs, slack } = terms;
  const step = windowMs / ranges;
  return Array.from({ length: ranges }, (_, index) => index * step).flatMap((from) => {
    const fit = fitAt(timeline, gridWindows(timeline, { from, to: from + step }, terms), windowMs);
    return fit === null ? [] : [{ ...fit, phase: { from: from - slack, to: from + step + slack } }];
  });
}
