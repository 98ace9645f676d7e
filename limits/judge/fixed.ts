// Fixed windows: which limits they allow if they begin at any phase of the clock, or each with the first call after the last.
import {
  ascending,
  certainlyWithin,
  countBelow,
  type Fit,
  type FitTerms,
  justAfter,
  possiblyWithin,
  type Timeline,
} from './timeline.ts';
import type { Call, Range } from './trace.ts';

/** A moment that is only known to be in this interval. */
interface Edge {
  readonly low: number;
  readonly high: number;
}

/** The time between two edges. */
export interface Window {
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

/** The lowest limit that admits all calls that certainly were: in one window, or twice as many in two. */
const lowOf = ({ admitted }: Timeline, states: readonly State[]): number =>
  states.reduce((low, { window: { end }, certainFrom }, index) => {
    const before = states[index - 1];
    const inTwo = before === undefined ? 0 : certainlyWithin(admitted, before.window.start.high, end.low);
    return Math.max(low, certainlyWithin(admitted, certainFrom, end.low), Math.ceil(inTwo / 2));
  }, 0);

/**
 * The highest limit at which all refused calls can have been, each in the window where it can have met most calls.
 * `metIn`: how many it can have met in one of the windows.
 */
export function highestIn(
  { refused }: Timeline,
  windows: readonly Window[],
  metIn: (call: Call, index: number) => number,
): number {
  const starts = windows.map(({ start }) => start.low);
  const ends = windows.map(({ end }) => end.high);
  return refused.reduce((high, call) => {
    let most = -1;
    for (let index = countBelow(ends, call.from); index < countBelow(starts, call.to, true); index += 1) {
      most = Math.max(most, metIn(call, index));
    }
    return Math.min(high, most);
  }, Infinity);
}

/** The limits at which these consecutive windows explain every call; null if there are none. */
function fitWindows(timeline: Timeline, windows: readonly Window[]): Fit | null {
  const states = statesOf(timeline, windows);
  if (states === null) {
    return null;
  }
  const low = lowOf(timeline, states);
  const high = highestIn(timeline, windows, ({ to }, index) => {
    const { window, lastAdmission } = states[index] as State;
    return lastAdmission <= to
      ? possiblyWithin(timeline.possible, window.start.low, Math.min(to, window.end.high))
      : -1;
  });
  return low <= high ? { low, high } : null;
}

/** The windows of a grid that cover the trace, whose phase is somewhere in the range. */
export function gridWindows({ span }: Timeline, phase: Range, { windowMs, slack }: FitTerms): Window[] {
  const edgeAt = (index: number): Edge => ({
    low: phase.from + index * windowMs - slack,
    high: phase.to + index * windowMs + slack,
  });
  const windows: Window[] = [];
  for (let index = Math.floor((span.from - phase.to) / windowMs); edgeAt(index).low <= span.to; index += 1) {
    windows.push({ start: edgeAt(index), end: edgeAt(index + 1) });
  }
  return windows;
}

/** How many fits are tried: fewer on a longer trace, so that judging takes time in proportion to its length. */
const triesOn = ({ calls }: Timeline): number => Math.min(4096, Math.max(128, Math.ceil(4e6 / calls.length)));

/** A group of ranges that fits as a whole is divided into this many parts. */
const branches = 4;

/**
 * Windows of any phase: the phases (on the client's clock, modulo the window) at which they explain the trace, with the
 * limits that they allow. A phase matters only as far as a call changes its window, so all ranges between calls are tried
 * together first; a group that cannot fit is dropped, and one that may fit is divided. When the tries are used up,
 * undivided groups are returned as they are: the result may be too wide, but never too narrow.
 */
function fitGrid(timeline: Timeline, terms: FitTerms): Fit[] {
  const { windowMs } = terms;
  const { froms, tos } = timeline.all;
  const points = ascending([0, windowMs, ...[...froms, ...tos].map((moment) => moment % windowMs)]);
  const edges = points.filter((point, index) => index === 0 || point - (points[index - 1] as number) > 0.2);
  const fits: Fit[] = [];
  const queue: [number, number][] = [[0, edges.length - 1]];
  let tries = 0;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [first, end] = next;
    const phase = { from: edges[first] as number, to: edges[end] as number };
    const middle = (phase.from + phase.to) / 2;
    const tried = end - first === 1 ? { from: middle, to: middle } : phase;
    const fit = fitWindows(timeline, gridWindows(timeline, tried, terms));
    tries += 1;
    if (fit !== null && (end - first === 1 || tries + queue.length >= triesOn(timeline))) {
      fits.push({ ...fit, phase });
    } else if (fit !== null) {
      const step = Math.ceil((end - first) / branches);
      for (let at = first; at < end; at += step) {
        queue.push([at, Math.min(end, at + step)]);
      }
    }
  }
  return fits.sort((a, b) => (a.phase?.from ?? 0) - (b.phase?.from ?? 0));
}

/** Windows of which each begins with the first call after the end of the one before. */
function fitAnchored(timeline: Timeline, { windowMs, slack }: FitTerms): Fit[] {
  const { calls } = timeline;
  const froms = calls.map(({ from }) => from);
  const earliestTo = calls.map(({ to }) => to);
  for (let index = calls.length - 2; index >= 0; index -= 1) {
    earliestTo[index] = Math.min(earliestTo[index] as number, earliestTo[index + 1] as number);
  }
  const windows: Window[] = [];
  let start: Edge = { low: -Infinity, high: -Infinity };
  let next = 0;
  for (;;) {
    const opening = earliestTo[countBelow(froms, start.high)];
    if (opening === undefined) {
      const fit = fitWindows(timeline, windows);
      return fit === null ? [] : [fit];
    }
    while ((calls[next] as Call).to < start.low) {
      next += 1;
    }
    const earliest = Math.max(start.low, (calls[next] as Call).from);
    const end = { low: earliest + windowMs - slack, high: opening + windowMs + slack };
    // All calls that certainly came after the last window are in this one, including the call that began it.
    windows.push({ start, end });
    start = end;
  }
}

/** Fixed windows: first those of any phase, then those from the first call on, which have none. */
export const fitFixed = (timeline: Timeline, terms: FitTerms): Fit[] => [
  ...fitGrid(timeline, terms),
  ...fitAnchored(timeline, terms),
];
