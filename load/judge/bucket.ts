// Buckets: tokens that come back one by one. Covers the token bucket, GCRA and plain spacing (a bucket of one or two).
import type { Call } from './trace.ts';
import type { Fit } from './windows.ts';

type Point = { s: number; r: number; admitted: number; possible: number };

/** Calls close together, seen as one point: what matters between points is only how many were admitted. */
function points(calls: readonly Call[], gapMs: number): Point[] {
  const out: Point[] = [];
  for (const call of calls) {
    const last = out.at(-1);
    const admitted = call.fate === 'admitted' ? 1 : 0;
    const possible = call.fate === 'refused' ? 0 : 1;
    if (last !== undefined && call.s - last.r < gapMs) {
      last.r = Math.max(last.r, call.r);
      last.admitted += admitted;
      last.possible += possible;
    } else {
      out.push({ s: call.s, r: call.r, admitted, possible });
    }
  }
  return out;
}

/**
 * The sizes of a bucket refilled at `rate` tokens a ms that explain the calls. A full bucket of B admits at most
 * B + rate·t in t, and refuses only with less than one token left.
 */
export function fitBucket(calls: readonly Call[], rate: number, gapMs: number): Fit | null {
  const all = points(calls, gapMs);
  let low = 1;
  all.forEach((first, i) => {
    let admitted = 0;
    for (const last of all.slice(i)) {
      admitted += last.admitted;
      low = Math.max(low, Math.ceil(admitted - rate * (last.r - first.s) - 1e-6));
    }
  });
  const high = Math.min(...calls.filter((call) => call.fate === 'refused').map((call) => highAt(call, all, calls, rate)));
  return low <= high ? { low, high } : null;
}

/** Full at some earlier point, it had given out so many since that less than one token was left at this refusal. */
function highAt(call: Call, all: readonly Point[], calls: readonly Call[], rate: number): number {
  const current = all.findIndex((point) => point.s <= call.s && call.r <= point.r);
  let since = calls.filter((other) => other.fate !== 'refused' && other.s <= call.r && inPoint(other, all[current])).length;
  let high = Math.ceil(since + 1 - 1e-6) - 1;
  for (let k = current - 1; k >= 0; k -= 1) {
    const point = all[k] as Point;
    since += point.possible;
    high = Math.max(high, Math.ceil(since + 1 - rate * (call.s - point.r) - 1e-6) - 1);
  }
  return high;
}

const inPoint = (call: Call, point: Point | undefined): boolean =>
  point !== undefined && call.s >= point.s && call.r <= point.r;
