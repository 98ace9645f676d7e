// Sliding limiters: the log (exact trailing window) and the counter (weighs the fixed window before).
import { ascending, type Call, countBelow } from './trace.ts';
import { type Fit, gridWindows, type PhaseFit, spanOf, type Window } from './windows.ts';

const usable = (fit: Fit): Fit | null => (fit.low <= fit.high ? fit : null);
const ofFate = (calls: readonly Call[], ...fates: string[]): Call[] =>
  calls.filter((call) => fates.includes(call.fate));

/** The most calls certainly admitted within one trailing window, wherever it lies. */
export function mostAdmitted(calls: readonly Call[], windowMs: number, slack: number): number {
  const admitted = ofFate(calls, 'admitted');
  const ends = ascending(admitted.map((call) => call.r));
  let most = 0;
  admitted.forEach((call, index) => {
    most = Math.max(most, countBelow(ends, call.s + windowMs - slack) - index);
  });
  return most;
}

/**
 * The fewest calls that can have been admitted in the trailing window of a refusal. Below the limit, that refusal is
 * certainly false: no fixed window, sliding log or token bucket of that size makes it.
 */
export function fewestAtRefusal(calls: readonly Call[], windowMs: number, slack: number): number {
  const possible = ofFate(calls, 'admitted', 'unknown');
  const starts = possible.map((call) => call.s);
  const ends = ascending(possible.map((call) => call.r));
  let fewest = Infinity;
  for (const call of calls) {
    if (call.fate !== 'refused') {
      continue;
    }
    const trailing = countBelow(starts, call.r, true) - countBelow(ends, call.s - windowMs - slack);
    fewest = Math.min(fewest, trailing);
  }
  return fewest;
}

/** The limits under which a sliding log that counts admitted calls explains the trace. */
export function fitLog(calls: readonly Call[], windowMs: number, slack: number): Fit | null {
  return usable({ low: mostAdmitted(calls, windowMs, slack), high: fewestAtRefusal(calls, windowMs, slack) });
}

/** The same for a log that counts refused calls too. */
export function fitCountingLog(calls: readonly Call[], windowMs: number, slack: number): Fit | null {
  const starts = calls.map((call) => call.s);
  const ends = ascending(calls.map((call) => call.r));
  let low = mostAdmitted(calls, windowMs, slack);
  let high = Infinity;
  for (const call of calls) {
    if (call.fate === 'admitted') {
      const before = countBelow(ends, call.s) - countBelow(starts, call.r - windowMs + slack, true);
      low = Math.max(low, before + 1);
    } else if (call.fate === 'refused') {
      const trailing = countBelow(starts, call.r, true) - countBelow(ends, call.s - windowMs - slack) - 1;
      high = Math.min(high, trailing);
    }
  }
  return usable({ low, high });
}

/** The calls by fate, put in order once: the phases are tried one by one, and each needs them so. */
type Sorted = { admittedByEnd: readonly Call[]; possible: readonly Call[]; refused: readonly Call[] };

type Counts = { certain: number[]; starts: number[]; window: Window };

function countsOf({ admittedByEnd, possible }: Sorted, window: Window): Counts {
  const { startLow, startHigh, endLow, endHigh } = window;
  const [certain, starts]: [number[], number[]] = [[], []];
  for (const { s, r } of admittedByEnd) {
    if (s >= startHigh && r <= endLow) {
      certain.push(r);
    }
  }
  for (const { s, r } of possible) {
    if (r >= startLow && s <= endHigh) {
      starts.push(s);
    }
  }
  return { certain, starts, window };
}

const share = (from: number, to: number, windowMs: number): number => Math.min(1, Math.max(0, (to - from) / windowMs));

/** Least limit that lets every certain admission of one window pass, given the window before. */
function counterLow(before: Counts | undefined, now: Counts, windowMs: number): number {
  const weight = before?.certain.length ?? 0;
  if (weight === 0) {
    return now.certain.length;
  }
  // Implementations round what is carried over up, down or not at all.
  return now.certain.reduce(
    (low, r, index) => Math.max(low, index + 1 + Math.floor(weight * (1 - share(now.window.startLow, r, windowMs)))),
    0,
  );
}

/** Greatest limit at which this refusal can have happened in this window. */
function counterHigh(call: Call, before: Counts | undefined, now: Counts, windowMs: number): number {
  if (call.r < now.window.startLow || call.s > now.window.endHigh) {
    return -1;
  }
  const carried = (before?.starts.length ?? 0) * (1 - share(now.window.startHigh, call.s, windowMs));
  return Math.ceil(carried) + countBelow(now.starts, call.r, true);
}

function fitCounterAt(sorted: Sorted, windows: readonly Window[], windowMs: number): Fit | null {
  const counts = windows.map((window) => countsOf(sorted, window));
  let low = 0;
  counts.forEach((now, k) => {
    low = Math.max(low, counterLow(counts[k - 1], now, windowMs));
  });
  let high = Infinity;
  for (const call of sorted.refused) {
    const most = counts.reduce((best, now, k) => Math.max(best, counterHigh(call, counts[k - 1], now, windowMs)), -1);
    if (most >= 0) {
      high = Math.min(high, most);
    }
    if (high < low) {
      return null;
    }
  }
  return { low, high };
}

const PHASES = 240;

/** Every phase, out of 240, at which a sliding counter explains the calls. */
export function fitCounter(calls: readonly Call[], windowMs: number, slack: number): PhaseFit[] {
  if (calls.length === 0) {
    return [];
  }
  const fits: PhaseFit[] = [];
  const sorted = {
    admittedByEnd: ofFate(calls, 'admitted').sort((a, b) => a.r - b.r),
    possible: ofFate(calls, 'admitted', 'unknown'),
    refused: ofFate(calls, 'refused'),
  };
  const span = spanOf(calls);
  const step = windowMs / PHASES;
  for (let k = 0; k < PHASES; k += 1) {
    const from = k * step;
    const fit = fitCounterAt(sorted, gridWindows(span, from + step / 2, windowMs, slack + step / 2), windowMs);
    if (fit !== null) {
      fits.push({ ...fit, from: from - slack, to: from + step + slack });
    }
  }
  return fits;
}
