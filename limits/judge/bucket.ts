// Buckets: tokens that come back one by one. Covers the token bucket, GCRA and plain spacing (a bucket of one or two).
import { type Call, countBelow } from './trace.ts';
import type { Fit } from './windows.ts';

/** Calls close together, seen as one point: what matters between points is only how many were admitted. */
type Point = {
  s: number;
  r: number;
  admitted: number /** When those left that may have been admitted, ascending. */;
  starts: number[];
  refused: Call[];
};

function points(calls: readonly Call[], gapMs: number): Point[] {
  const out: Point[] = [];
  for (const call of calls) {
    let last = out.at(-1);
    if (last === undefined || call.s - last.r >= gapMs) {
      last = { s: call.s, r: call.r, admitted: 0, starts: [], refused: [] };
      out.push(last);
    }
    last.r = Math.max(last.r, call.r);
    if (call.fate === 'admitted') {
      last.admitted += 1;
    }
    if (call.fate === 'refused') {
      last.refused.push(call);
    } else {
      last.starts.push(call.s);
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
  const highs = all.flatMap((point, index) => point.refused.map((call) => highAt(call, all, index, rate)));
  const high = Math.min(...highs);
  return low <= high ? { low, high } : null;
}

/** Full at some earlier point, it had given out so many since that less than one token was left at this refusal, in the point `at`. */
function highAt(call: Call, all: readonly Point[], at: number, rate: number): number {
  let since = countBelow((all[at] as Point).starts, call.r, true);
  let high = Math.ceil(since + 1 - 1e-6) - 1;
  for (let k = at - 1; k >= 0; k -= 1) {
    const point = all[k] as Point;
    since += point.starts.length;
    high = Math.max(high, Math.ceil(since + 1 - rate * (call.s - point.r) - 1e-6) - 1);
  }
  return high;
}
