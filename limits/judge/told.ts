import { firstNumber, showsMinute } from './headers.ts';
import { type Call, returnIn } from './trace.ts';

/** The admitted calls of each filled window: up to a refusal, and on from where a call was let in after it. */
function fillsOf(calls: readonly Call[]): Call[][] {
  const fills: Call[][] = [];
  let current: Call[] = [];
  let refusedAt = Infinity;
  for (const call of calls) {
    if (call.outcome === 'refused') {
      refusedAt = Math.min(refusedAt, call.to);
    } else if (call.outcome === 'admitted') {
      if (call.from > refusedAt) {
        fills.push(current);
        [current, refusedAt] = [[], Infinity];
      }
      current.push(call);
    }
  }
  return refusedAt === Infinity ? fills : [...fills, current];
}

const toldIn = (fill: readonly Call[], limit: number): number[] =>
  fill.flatMap(({ sample }) => (showsMinute(sample, limit) ? (firstNumber(sample.remaining) ?? []) : []));

/** The calls from the first on that was under way together with another; all where none was. */
function fromBurst(fill: readonly Call[]): readonly Call[] {
  const first = fill.findIndex((call, index) => call.to >= (fill[index + 1]?.from ?? Infinity));
  return fill.slice(Math.max(0, first));
}

/** The values below the highest that a burst was told, which none of its calls was told. */
function gapsIn(fill: readonly Call[], limit: number): string {
  const told = new Set(toldIn(fromBurst(fill), limit));
  const highest = Math.max(...told);
  return Array.from({ length: Math.max(0, highest) }, (_, value) => value)
    .filter((value) => !told.has(value))
    .join();
}

/**
 * Whether Remaining skips the same values in every window that was filled: then that is how the deployment counts. The calls
 * of a stranger fall where they fall; what lacks at the top, before the burst, may be a stranger's each time.
 */
export function skipsAlike(calls: readonly Call[], limit: number): boolean {
  const fills = fillsOf(calls).filter((fill) => new Set(toldIn(fill, limit)).size >= limit / 2);
  const [first, ...others] = fills.map((fill) => gapsIn(fill, limit));
  return first !== undefined && first !== '' && others.length > 0 && others.every((gaps) => gaps === first);
}

/** Whether some window gave the whole limit while another gave less: nothing that the deployment does by itself. */
export function givesUnevenly(calls: readonly Call[], limit: number): boolean {
  const sizes = fillsOf(calls).map((fill) => fill.length);
  return sizes.includes(limit) && sizes.some((size) => size >= limit / 2 && size < limit);
}

/** Whether the first window's calls were told the limit's values one by one, down to 0 or 1: nobody else's, and no gap. */
export function toldExactly(calls: readonly Call[], limit: number): boolean {
  const fill = fillsOf(calls)[0] ?? [];
  const values = toldIn(fill, limit).sort((a, b) => b - a);
  const [top] = values;
  return (
    fill.length === limit &&
    values.length === limit &&
    (top === limit || top === limit - 1) &&
    values.every((value, index) => value === top - index)
  );
}

/** Whether a call was let in and told 0 after another one had been: the limiter itself counts the limit as used up. */
export function letsInAtZero(calls: readonly Call[], limit: number): boolean {
  const atZero = calls.filter(
    ({ outcome, sample }) =>
      outcome === 'admitted' && showsMinute(sample, limit) && firstNumber(sample.remaining) === 0,
  );
  return atZero.some(({ to }) => atZero.some(({ from }) => from > to));
}

/** Whether the first call that was let in after a refusal was told less than a new window has: calls are given back one by one. */
export function givesBackSlowly(calls: readonly Call[], limit: number): boolean {
  const seen = returnIn(calls);
  if (seen === null || !showsMinute(seen.back.sample, limit)) {
    return false;
  }
  const { last, back } = seen;
  const since = calls.filter(({ from, to }) => to > last.from && from <= back.to).length;
  return (firstNumber(back.sample.remaining) ?? limit) < limit - since;
}
