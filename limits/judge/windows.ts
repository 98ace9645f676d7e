import { certainlyWithin, countBelow, justAfter, possiblyWithin, type Timeline } from './timeline.ts';
import type { Call, Range } from './trace.ts';

/**
 * The limits at which a limiter explains a trace: at least `low`, since so many were admitted, at most `high`, since a
 * call was refused.
 */
export interface Fit {
  readonly low: number;
  readonly high: number;
}

/** A moment that is only known to be in this interval. */
interface Edge {
  readonly low: number;
  readonly high: number;
}

/** The time between two edges. While it lasts, the calls since `held` count; in a fixed window that is its start. */
export interface Window {
  readonly held: Edge;
  readonly start: Edge;
  readonly end: Edge;
}

/** What is certain about one window. */
interface State {
  readonly window: Window;
  /** Calls that were sent from this moment on and answered by the window's end were decided in this window. */
  readonly certainFrom: number;
  readonly lastAdmission: number;
}

/**
 * The states of consecutive windows; null if a call was admitted after a refusal in the same window, since a full
 * window stays full. For the same reason, a call that was admitted after a refusal belongs to the next window.
 */
function statesOf({ refusalAfter, admissionBefore }: Timeline, windows: readonly Window[]): State[] | null {
  const states: State[] = [];
  let fullBefore = Infinity;
  for (const window of windows) {
    const { start, end } = window;
    const certainFrom = Math.min(start.high, justAfter(fullBefore));
    const admission = admissionBefore(end.low);
    const lastAdmission = admission >= certainFrom ? admission : -Infinity;
    const refusal = refusalAfter(start.high);
    const full = refusal <= end.low ? refusal : Infinity;
    if (lastAdmission > full) {
      return null;
    }
    states.push({ window, certainFrom, lastAdmission });
    fullBefore = full;
  }
  return states;
}

/** The lowest limit that admits all calls that certainly were. A call counts for `segments` windows. */
function lowOf({ admitted }: Timeline, states: readonly State[], segments: number): number {
  let low = 0;
  states.forEach(({ window: { end } }, index) => {
    const held = states[Math.max(0, index - segments + 1)] as State;
    low = Math.max(low, certainlyWithin(admitted, held.certainFrom, end.low));
    // Two consecutive windows admit at most twice the limit, wherever the edge between them is.
    const before = states[index - 2 * segments + 1];
    if (before !== undefined) {
      low = Math.max(low, Math.ceil(certainlyWithin(admitted, before.window.start.high, end.low) / 2));
    }
  });
  return low;
}

/** The highest limit at which this call can have been refused, in whichever window; -1 if in none. */
function highAt({ possible }: Timeline, states: readonly State[], first: number, call: Call): number {
  let most = -1;
  for (let index = first; index < states.length; index += 1) {
    const { window, lastAdmission } = states[index] as State;
    if (window.start.low > call.to) {
      break;
    }
    if (lastAdmission <= call.to) {
      most = Math.max(most, possiblyWithin(possible, window.held.low, Math.min(call.to, window.end.high)));
    }
  }
  return most;
}

/**
 * The limits at which these consecutive windows explain every call; null if there are none. A call counts for
 * `segments` windows.
 */
export function fitWindows(timeline: Timeline, windows: readonly Window[], segments = 1): Fit | null {
  const states = statesOf(timeline, windows);
  if (states === null) {
    return null;
  }
  const low = lowOf(timeline, states, segments);
  const ends = windows.map(({ end }) => end.high);
  let high = Infinity;
  for (const call of timeline.innermostRefused) {
    high = Math.min(high, highAt(timeline, states, countBelow(ends, call.from), call));
    if (high < low) {
      return null;
    }
  }
  return { low, high };
}

/**
 * The windows of a grid that cover the trace. Its edges are `period` apart, and their phase is somewhere in the range.
 */
export function gridWindows({ span }: Timeline, period: number, phase: Range, slack: number, segments = 1): Window[] {
  const edgeAt = (index: number): Edge => ({
    low: phase.from + index * period - slack,
    high: phase.to + index * period + slack,
  });
  const windows: Window[] = [];
  for (let index = Math.floor((span.from - phase.to) / period); edgeAt(index).low <= span.to; index += 1) {
    windows.push({ held: edgeAt(index - segments + 1), start: edgeAt(index), end: edgeAt(index + 1) });
  }
  return windows;
}

/** The windows of a limiter that begins each window with the first call after the end of the one before. */
export function anchoredWindows({ calls }: Timeline, windowMs: number, slack: number): Window[] {
  const froms = calls.map(({ from }) => from);
  const earliestTo = calls.map(({ to }) => to);
  for (let index = calls.length - 2; index >= 0; index -= 1) {
    earliestTo[index] = Math.min(earliestTo[index] as number, earliestTo[index + 1] as number);
  }
  const windows: Window[] = [];
  let start: Edge = { low: -Infinity, high: -Infinity };
  for (let next = 0; ; ) {
    const opening = earliestTo[countBelow(froms, start.high)];
    if (opening === undefined) {
      return windows;
    }
    while ((calls[next] as Call).to < start.low) {
      next += 1;
    }
    const earliest = Math.max(start.low, (calls[next] as Call).from);
    const end = { low: earliest + windowMs - slack, high: opening + windowMs + slack };
    // All calls that certainly came after the last window are in this one, including the call that began it.
    windows.push({ held: start, start, end });
    start = end;
  }
}
