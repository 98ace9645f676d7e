// All the limiters the judge knows, each with the limits at which it explains a trace.
import { fitBucket } from './bucket.ts';
import { fitCounter, fitCountingLog, fitLog } from './sliding.ts';
import type { Call } from './trace.ts';
import { anchoredWindows, type Fit, fitGrid, fitWindows, type PhaseFit } from './windows.ts';

export type Family = 'grid' | 'anchored' | 'log' | 'counting log' | 'counter' | 'token bucket' | 'small bucket';

/** One limiter that explains the trace, with the range of its grid's phases where it has a grid. */
export type Explanation = Fit & { family: Family; phase: { from: number; to: number } | null };

/** How the limits of an explanation compare with the documented one. */
export type Outcome = 'holds' | 'fewer' | 'more';

/** How far client and server clock may drift apart over a few windows, with their rounding to a millisecond. */
export const clockSlack = (windowMs: number): number => 2 + windowMs / 6000;

/** Every limiter that explains the calls. The families that a document's limit may have come first. */
export function explain(calls: readonly Call[], limit: number, windowMs: number, slack: number): Explanation[] {
  if (calls.length === 0) {
    return [];
  }
  const one = (family: Family, fit: Fit | null): Explanation[] =>
    fit === null ? [] : [{ family, phase: null, ...fit }];
  const many = (family: Family, fits: readonly PhaseFit[]): Explanation[] =>
    fits.map(({ low, high, from, to }) => ({ family, low, high, phase: { from, to } }));
  const plain = [
    ...many('grid', fitGrid(calls, windowMs, slack)),
    ...one('anchored', fitWindows(calls, anchoredWindows(calls, windowMs, slack))),
    ...one('log', fitLog(calls, windowMs, slack)),
  ];
  // The counter takes its time, and is needed only where nothing plainer says exactly what the documents say.
  const exact = plain.some((one) => one.low === limit && one.high === limit);
  const rate = limit / windowMs;
  const bucket = fitBucket(calls, rate, windowMs / 200);
  const small = bucket !== null && bucket.high <= limit / 2;
  return [
    ...plain,
    ...many('counter', exact ? [] : fitCounter(calls, windowMs, slack)),
    ...one('counting log', fitCountingLog(calls, windowMs, slack)),
    ...one(small ? 'small bucket' : 'token bucket', bucket),
  ];
}

/**
 * What an explanation says of the documented limit. A bucket is `more`, since its refill comes on top within the minute;
 * a log that counts refusals is `fewer`, since it refuses calls that a quiet minute allows.
 */
export function outcomes({ family, low, high }: Explanation, limit: number): Outcome[] {
  if (family === 'token bucket') {
    return ['more'];
  }
  if (family === 'small bucket') {
    return ['fewer'];
  }
  const out = new Set<Outcome>();
  if (low < limit) {
    out.add('fewer');
  }
  if (low <= limit && limit <= high) {
    out.add(family === 'counting log' ? 'fewer' : 'holds');
  }
  if (high > limit) {
    out.add('more');
  }
  return [...out];
}

/** Stretches in which many calls were under way at once. */
export function burstsOf(calls: readonly Call[], slack: number): { from: number; to: number }[] {
  const out: { from: number; to: number; count: number }[] = [];
  for (const call of calls) {
    const last = out.at(-1);
    if (last !== undefined && call.s - last.to < slack) {
      last.to = Math.max(last.to, call.r);
      last.count += 1;
    } else {
      out.push({ from: call.s, to: call.r, count: 1 });
    }
  }
  return out.filter(({ count }) => count >= 5);
}

/** Whether the explanation needs a window's edge to have fallen right into one of the bursts. */
export function coincidental(
  { phase }: Explanation,
  bursts: readonly { from: number; to: number }[],
  windowMs: number,
): boolean {
  return (
    phase !== null &&
    bursts.some(({ from, to }) => phase.from + Math.ceil((from - phase.to) / windowMs) * windowMs <= to)
  );
}

/** Bursts that take more than this share of the window make an edge inside them no coincidence. */
const RARE = 0.25;

/** Bursts that take more than this share leave a sliding counter's number in doubt: it may then be the documented one. */
const COARSE = 0.02;

/**
 * The explanations worth most: those that need no coincidence, and among them those that need no sliding counter of
 * another than the documented size, as long as there are any.
 */
export function likely(
  all: readonly Explanation[],
  calls: readonly Call[],
  limit: number,
  windowMs: number,
  slack: number,
): Explanation[] {
  const bursts = burstsOf(calls, slack);
  const share = bursts.reduce((sum, { from, to }) => sum + to - from, 0) / windowMs;
  const plain = share > RARE ? all : all.filter((one) => !coincidental(one, bursts, windowMs));
  const counts = ({ low, high }: Fit): boolean =>
    share > COARSE ? low <= limit && limit <= high : low === limit && high === limit;
  const usual = plain.filter((one) => one.family !== 'counter' || counts(one));
  return [[...usual], [...plain], [...all]].find((tier) => tier.length > 0) ?? [];
}
