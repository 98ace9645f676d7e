import type { PhaseFit } from './phases.ts';
import { certainlyWithin, countBelow, possiblyWithin, type Timeline } from './timeline.ts';
import type { Call } from './trace.ts';
import { type Fit, gridWindows, type Window } from './windows.ts';

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
  const ends = windows.map(({ end }) => end.high);
  let high = Infinity;
  for (const call of timeline.innermostRefused) {
    let most = -1;
    for (let index = countBelow(ends, call.from); index < counted.length; index += 1) {
      const one = counted[index] as Counted;
      if (one.window.start.low > call.to) {
        break;
      }
      most = Math.max(most, highIn(timeline, call, one, counted[index - 1]?.possible ?? 0, windowMs));
    }
    high = Math.min(high, most < 0 ? high : most);
    if (high < low) {
      return null;
    }
  }
  return { low, high };
}

/** All phases are tried, divided into this many ranges. */
const ranges = 240;

/**
 * The phases at which a sliding counter explains the trace. A sliding counter adds the calls of the fixed window
 * before, weighed.
 */
export function fitCounter(timeline: Timeline, windowMs: number, slack: number): PhaseFit[] {
  const step = windowMs / ranges;
  return Array.from({ length: ranges }, (_, index) => ({ from: index * step, to: (index + 1) * step })).flatMap(
    (phase) => {
      const fit = fitAt(timeline, gridWindows(timeline, windowMs, phase, slack), windowMs);
      return fit === null ? [] : [{ ...fit, from: phase.from - slack, to: phase.to + slack }];
    },
  );
}
