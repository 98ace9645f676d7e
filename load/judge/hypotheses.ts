// All the limiters the judge knows, each with the limits at which it explains a trace.
import { fitBucket } from './bucket.ts';
import { fitCounter, fitCountingLog, fitLog } from './sliding.ts';
import type { Call } from './trace.ts';
import { anchoredWindows, fitGrid, fitWindows, type Fit, type PhaseFit } from './windows.ts';

export type Family = 'grid' | 'anchored' | 'log' | 'counting log' | 'counter' | 'token bucket' | 'small bucket';

/** One limiter that explains the trace. `phase` is the grid's, in [0, windowMs) on the client's clock. */
export type Explanation = Fit & { family: Family; phase: number | null };

/** How the limits of an explanation compare with the documented one. */
export type Outcome = 'holds' | 'fewer' | 'more';

/** Every limiter that explains the calls. The families that a document's limit may have come first. */
export function explain(calls: readonly Call[], limit: number, windowMs: number, slack: number): Explanation[] {
  if (calls.length === 0) return [];
  const one = (family: Family, fit: Fit | null): Explanation[] => (fit === null ? [] : [{ family, phase: null, ...fit }]);
  const many = (family: Family, fits: readonly PhaseFit[]): Explanation[] => fits.map((fit) => ({ family, ...fit }));
  const plain = [
    ...many('grid', fitGrid(calls, windowMs, slack)),
    ...one('anchored', fitWindows(calls, anchoredWindows(calls, windowMs, slack))),
    ...one('log', fitLog(calls, windowMs, slack)),
  ];
  const rate = limit / windowMs;
  const bucket = fitBucket(calls, rate, windowMs / 200);
  const small = bucket !== null && bucket.high <= limit / 2;
  return [
    ...plain,
    ...many('counter', plain.length > 0 ? [] : fitCounter(calls, windowMs, slack)),
    ...one('counting log', fitCountingLog(calls, windowMs, slack)),
    ...one(small ? 'small bucket' : 'token bucket', bucket),
  ];
}

/**
 * What an explanation says of the documented limit. A bucket of the limit's size is `more`, since its refill comes on
 * top within the minute; a log that counts refusals is `fewer`, since it refuses calls that a quiet minute allows.
 */
export function outcomes(explanation: Explanation, limit: number): Outcome[] {
  const { family, low, high } = explanation;
  const out: Outcome[] = [];
  if (low < limit) out.push('fewer');
  if (low <= limit && limit <= high) out.push(family === 'token bucket' || family === 'small bucket' ? 'more' : 'holds');
  if (high > limit) out.push('more');
  return out;
}
