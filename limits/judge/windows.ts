import { certainlyWithin, countBelow, justAfter, possiblyWithin, type Timeline } from './timeline.ts';
import type { Call, Range } from './trace.ts';

/** The limits that a limiter allows: at least `low` (so many were admitted), at most `high` (a call was refused then). */
export interface Fit {
  readonly low: number;
  readonly high: number;
}

/** A moment that is known to lie in an interval. */
interface Edge {
  readonly low: number;
  readonly high: number;
}

/** A stretch between two edges. While it lasts, calls made since `held` count; in a fixed window that is its start. */
export interface Window {
  readonly held: Edge;
  readonly start: Edge;
  readonly end: Edge;
}

/** What was certainly done in one window. */
interface State {
  readonly window: Window;
  /** What was sent from then on and answered by the window's end was decided in this window. */
  readonly certainFrom: number;
  readonly lastAdmission: number;
}

/**
 * The states of windows that follow each other; null where one of them admitted a call after a refusal: once a window is
 * full it stays full. For the same reason a call that was admitted after a refusal belongs to the next window.
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

/** The least limit that lets every certain admission pass. `segments`: how many windows a call is held for. */
function lowOf({ admitted }: Timeline, states: readonly State[], segments: number): number {
  let low = 0;
  states.forEach(({ window: { end } }, index) => {
    const held = states[Math.max(0, index - segments + 1)] as State;
    low = Math.max(low, certainlyWithin(admitted, held.certainFrom, end.low));
    // Two windows that follow each other admit at most two limits, wherever the edge between them fell.
    const before = states[index - 2 * segments + 1];
    if (before !== undefined) {
      low = Math.max(low, Math.ceil(certainlyWithin(admitted, before.window.start.high, end.low) / 2));
    }
  });
  return low;
}

/** The greatest limit at which this call can have been refused, in whichever window that was; -1 where in none. */
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
 * The limits under which these windows explain every call, or null where none do. `windows` follow each other; each call
 * is held for `segments` of them.
 */
export function fitWindows(timeline: Timeline, windows: readonly Window[], segments = 1): Fit | null {
  const states = statesOf(timeline, windows);
  if (states === null) {
    return null;
  }
  const low = lowOf(timeline, states, segments);
  const ends = windows.map(({ end }) => end.high);
  let high = Infinity;
  for (const call of timeline.refused) {
    high = Math.min(high, highAt(timeline, states, countBelow(ends, call.from), call));
    if (high < low) {
      return null;
    }
  }
  return { low, high };
}

/** The windows of a grid, `period` apart, that cover the trace, with its edges anywhere in the range of phases. */
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

/** The windows of a limiter that opens one with the first call after the last has ended. */
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
    // Whatever came certainly after the last window is in this one, the opening call included.
    windows.push({ held: start, start, end });
    start = end;
  }
}
