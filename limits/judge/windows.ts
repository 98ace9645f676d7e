// Fixed windows: for which limits could a fixed window of this phase have made these decisions?
import { ascending, type Call, countBelow } from './trace.ts';

/** The limits a hypothesis allows: at least `low` (so many were admitted), at most `high` (a call was refused then). */
export type Fit = { low: number; high: number };

/** A window whose edges are known to lie in intervals. */
export type Window = { startLow: number; startHigh: number; endLow: number; endHigh: number };

/** A range of phases of the fixed-window grid on the client's clock, modulo windowMs, and the limits it allows. */
export type PhaseFit = Fit & { from: number; to: number };

const certainlyIn = (call: Call, w: Window): boolean => call.s >= w.startHigh && call.r <= w.endLow;
const possiblyIn = (call: Call, w: Window): boolean => call.r >= w.startLow && call.s <= w.endHigh;

/** When a refusal was certainly made in the window for the first time. Once a fixed window is full it stays full. */
function fullSince(calls: readonly Call[], window: Window): number {
  let since = Infinity;
  for (const call of calls) {
    if (call.fate === 'refused' && certainlyIn(call, window)) {
      since = Math.min(since, call.r);
    }
  }
  return since;
}

/** The calls admitted in the window beyond doubt: sent and answered in it, or sent after the one before was full. */
function admittedIn(calls: readonly Call[], window: Window, before: Window | undefined, full: number): Call[] {
  return calls.filter(
    (call) =>
      call.fate === 'admitted' &&
      call.r <= window.endLow &&
      (call.s >= window.startHigh ||
        (before !== undefined && call.s > full && call.s >= before.startHigh && call.r >= window.startLow)),
  );
}

/** What is known of one window: who was certainly and who possibly admitted in it, and from when it was full. */
type State = { window: Window; certain: Call[]; starts: number[]; full: number; lastAdmission: number };

function statesOf(calls: readonly Call[], windows: readonly Window[]): State[] {
  let fullBefore = Infinity;
  return windows.map((window, k) => {
    const certain = admittedIn(calls, window, windows[k - 1], fullBefore);
    const starts = calls.filter((call) => call.fate !== 'refused' && possiblyIn(call, window)).map((call) => call.s);
    fullBefore = fullSince(calls, window);
    return {
      window,
      certain,
      starts,
      full: fullBefore,
      lastAdmission: Math.max(-Infinity, ...certain.map((call) => call.s)),
    };
  });
}

/** The windows in which this refusal can have been made: not one that admitted a call later on. */
const placesOf = (call: Call, states: readonly State[]): State[] =>
  states.filter((state) => possiblyIn(call, state.window) && state.lastAdmission <= call.r);

/** Two windows that follow each other admit at most two limits, wherever the edge between them fell. */
function pairLow(calls: readonly Call[], states: readonly State[]): number {
  return states.slice(1).reduce((low, state, k) => {
    const from = (states[k] as State).window.startHigh;
    const both = calls.filter((call) => call.fate === 'admitted' && call.s >= from && call.r <= state.window.endLow);
    return Math.max(low, Math.ceil(both.length / 2));
  }, 0);
}

/** The limits under which these windows explain every call, or null where none do. `calls` are in order of sending. */
export function fitWindows(calls: readonly Call[], windows: readonly Window[]): Fit | null {
  const states = statesOf(calls, windows);
  if (states.some((state) => state.lastAdmission > state.full)) {
    return null;
  }
  const low = Math.max(0, pairLow(calls, states), ...states.map((state) => state.certain.length));
  let high = Infinity;
  for (const call of calls) {
    if (call.fate !== 'refused') {
      continue;
    }
    const places = placesOf(call, states);
    const most = Math.max(-1, ...places.map((state) => countBelow(state.starts, call.r, true)));
    high = Math.min(high, most);
    if (high < low) {
      return null;
    }
  }
  return { low, high };
}

/** When the first call left and when the last answer was there. `calls`: at least one, in order of sending. */
export const spanOf = (calls: readonly Call[]): { from: number; to: number } => ({
  from: (calls[0] as Call).s,
  to: Math.max(...calls.map((call) => call.r)),
});

/** The windows of a grid with the given phase that cover the span. */
export function gridWindows(
  { from, to }: { from: number; to: number },
  phase: number,
  windowMs: number,
  slack: number,
): Window[] {
  const windows: Window[] = [];
  for (let k = Math.floor((from - phase) / windowMs); phase + k * windowMs <= to; k += 1) {
    const start = phase + k * windowMs;
    const end = start + windowMs;
    windows.push({ startLow: start - slack, startHigh: start + slack, endLow: end - slack, endHigh: end + slack });
  }
  return windows;
}

/** An edge must lie between a refusal and the next admission: the pairs that bound it. */
function edgeBounds(calls: readonly Call[], windowMs: number, slack: number): { from: number; to: number }[] {
  const refused = calls.filter((call) => call.fate === 'refused').sort((a, b) => a.r - b.r);
  const ends = refused.map((call) => call.r);
  const earliest = new Map<number, number>();
  for (const call of calls) {
    if (call.fate !== 'admitted') {
      continue;
    }
    const before = countBelow(ends, call.s) - 1;
    if (before >= 0) {
      earliest.set(before, Math.min(earliest.get(before) ?? Infinity, call.r));
    }
  }
  return [...earliest]
    .map(([index, to]) => ({ from: (refused[index] as Call).s - slack, to: to + slack }))
    .filter(({ from, to }) => to - from < windowMs);
}

/** Ranges of phases: within one of them no call changes its window. */
function phases(calls: readonly Call[], windowMs: number): { from: number; to: number }[] {
  const points = ascending(
    calls.flatMap((call) => [call.s, call.r]).map((t) => ((t % windowMs) + windowMs) % windowMs),
  );
  const out: { from: number; to: number }[] = [];
  let from = (points.at(-1) as number) - windowMs;
  for (const to of points) {
    if (to - from > 0.2) {
      out.push({ from, to });
    }
    from = to;
  }
  return out;
}

/** Every phase of a fixed grid (clock-aligned or odd) that explains the calls, with the limits it allows. */
export function fitGrid(calls: readonly Call[], windowMs: number, slack: number): PhaseFit[] {
  if (calls.length === 0) {
    return [];
  }
  const bounds = edgeBounds(calls, windowMs, slack);
  const span = spanOf(calls);
  const fits: PhaseFit[] = [];
  for (const range of phases(calls, windowMs)) {
    const phase = (range.from + range.to) / 2;
    const possible = bounds.every(({ from, to }) => phase + Math.ceil((from - phase) / windowMs) * windowMs <= to);
    if (!possible) {
      continue;
    }
    const fit = fitWindows(calls, gridWindows(span, phase, windowMs, slack));
    if (fit !== null) {
      fits.push({ ...fit, ...range });
    }
  }
  return fits;
}

/** The windows of a limiter that opens one with the first call after the last has ended. */
export function anchoredWindows(calls: readonly Call[], windowMs: number, slack: number): Window[] {
  const windows: Window[] = [];
  let after = { low: -Infinity, high: -Infinity };
  for (;;) {
    const { low, high } = after;
    const candidates = calls.filter((call) => call.r >= low);
    const opening = Math.min(...candidates.filter((call) => call.s >= high).map((call) => call.r));
    if (opening === Infinity) {
      return windows;
    }
    const earliest = Math.max(low, (candidates[0] as Call).s);
    after = { low: earliest + windowMs - slack, high: opening + windowMs + slack };
    // Whatever came certainly after the last window is in this one, the opening call included.
    windows.push({ startLow: low, startHigh: high, endLow: after.low, endHigh: after.high });
  }
}
