// Fixed windows: for which limits could a fixed window of this phase have made these decisions?
import { ascending, countBelow, type Call } from './trace.ts';

/** The limits a hypothesis allows: at least `low` (so many were admitted), at most `high` (a call was refused then). */
export type Fit = { low: number; high: number };

/** A window whose edges are known to lie in intervals. */
export type Window = { startLow: number; startHigh: number; endLow: number; endHigh: number };

/** A phase of the fixed-window grid, in [0, windowMs), and the limits it allows. */
export type PhaseFit = Fit & { phase: number };

const certainlyIn = (call: Call, w: Window): boolean => call.s >= w.startHigh && call.r <= w.endLow;
const possiblyIn = (call: Call, w: Window): boolean => call.r >= w.startLow && call.s <= w.endHigh;

/** Once a fixed window is full it stays full: no admission certainly after a refusal in the same window. */
function keepsOrder(calls: readonly Call[], window: Window): boolean {
  let firstRefusal = Infinity;
  for (const call of calls) {
    if (call.fate === 'refused' && certainlyIn(call, window)) firstRefusal = Math.min(firstRefusal, call.r);
  }
  return !calls.some((call) => call.fate === 'admitted' && call.s > firstRefusal && certainlyIn(call, window));
}

/** The limits under which these windows explain every call, or null where none do. `calls` are in order of sending. */
export function fitWindows(calls: readonly Call[], windows: readonly Window[]): Fit | null {
  let low = 0;
  for (const window of windows) {
    if (!keepsOrder(calls, window)) return null;
    low = Math.max(low, calls.filter((call) => call.fate === 'admitted' && certainlyIn(call, window)).length);
  }
  const sent = windows.map((w) => calls.filter((call) => call.fate !== 'refused' && possiblyIn(call, w)).map((call) => call.s));
  let high = Infinity;
  for (const call of calls) {
    if (call.fate !== 'refused') continue;
    let most = -1;
    windows.forEach((window, k) => {
      if (possiblyIn(call, window)) most = Math.max(most, countBelow(sent[k] as number[], call.r, true));
    });
    if (most >= 0) high = Math.min(high, most);
    if (high < low) return null;
  }
  return { low, high };
}

/** The windows of a grid with the given phase that cover the calls. */
export function gridWindows(calls: readonly Call[], phase: number, windowMs: number, slack: number): Window[] {
  const from = (calls[0] as Call).s;
  const to = Math.max(...calls.map((call) => call.r));
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
    if (call.fate !== 'admitted') continue;
    const before = countBelow(ends, call.s) - 1;
    if (before >= 0) earliest.set(before, Math.min(earliest.get(before) ?? Infinity, call.r));
  }
  return [...earliest]
    .map(([index, to]) => ({ from: (refused[index] as Call).s - slack, to: to + slack }))
    .filter(({ from, to }) => to - from < windowMs);
}

/** Representative phases: between any two of them no call changes its window. */
function phases(calls: readonly Call[], windowMs: number): number[] {
  const points = ascending(calls.flatMap((call) => [call.s, call.r]).map((t) => ((t % windowMs) + windowMs) % windowMs));
  const out: number[] = [];
  let last = (points.at(-1) as number) - windowMs;
  for (const point of points) {
    if (point - last > 0.2) out.push((((point + last) / 2) + windowMs) % windowMs);
    last = point;
  }
  return out;
}

/** Every phase of a fixed grid (clock-aligned or odd) that explains the calls, with the limits it allows. */
export function fitGrid(calls: readonly Call[], windowMs: number, slack: number): PhaseFit[] {
  if (calls.length === 0) return [];
  const bounds = edgeBounds(calls, windowMs, slack);
  const fits: PhaseFit[] = [];
  for (const phase of phases(calls, windowMs)) {
    const possible = bounds.every(({ from, to }) => phase + Math.ceil((from - phase) / windowMs) * windowMs <= to);
    if (!possible) continue;
    const fit = fitWindows(calls, gridWindows(calls, phase, windowMs, slack));
    if (fit !== null) fits.push({ ...fit, phase });
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
    if (opening === Infinity) return windows;
    const earliest = Math.max(low, (candidates[0] as Call).s);
    after = { low: earliest + windowMs - slack, high: opening + windowMs + slack };
    // Whatever came certainly after the last window is in this one, the opening call included.
    windows.push({ startLow: low, startHigh: high, endLow: after.low, endHigh: after.high });
  }
}
