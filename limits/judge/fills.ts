import { minuteRemaining, showsMinute } from './headers.ts';
import { type Call, returnIn } from './trace.ts';

/** The admitted calls of each fill: up to a refusal, and anew from the first call that was admitted after it. */
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

/** The values of Remaining that the calls of a fill got. */
const remainingIn = (fill: readonly Call[], limit: number): number[] =>
  fill.flatMap(({ sample }) => minuteRemaining(sample, limit) ?? []);

/** The calls from the first one on that overlaps the next; all calls if none does. */
function fromBurst(fill: readonly Call[]): readonly Call[] {
  const first = fill.findIndex((call, index) => call.to >= (fill[index + 1]?.from ?? Infinity));
  return fill.slice(Math.max(0, first));
}

/** The values of Remaining below the highest one of a burst that none of its calls got. */
function gapsIn(fill: readonly Call[], limit: number): string {
  const values = new Set(remainingIn(fromBurst(fill), limit));
  const highest = Math.max(...values);
  return Array.from({ length: Math.max(0, highest) }, (_, value) => value)
    .filter((value) => !values.has(value))
    .join();
}

/**
 * Whether Remaining skips the same values in every fill: then the deployment counts in that way, since calls by others
 * would fall at random. Values above those of the burst do not count: others may have used them up before it each time.
 */
export function skipsSameValues(calls: readonly Call[], limit: number): boolean {
  const fills = fillsOf(calls).filter((fill) => new Set(remainingIn(fill, limit)).size >= limit / 2);
  const [first, ...others] = fills.map((fill) => gapsIn(fill, limit));
  return first !== undefined && first !== '' && others.length > 0 && others.every((gaps) => gaps === first);
}

/** Whether one fill had the whole limit and another less. No deployment does that by itself, so others used the key. */
export function admitsUnevenly(calls: readonly Call[], limit: number): boolean {
  const sizes = fillsOf(calls).map((fill) => fill.length);
  return sizes.includes(limit) && sizes.some((size) => size >= limit / 2 && size < limit);
}

/**
 * Whether two fills or more ended after the same number of calls, fewer than the limit, and their Remaining fell by one
 * with each: the limiter itself admits that many, since calls by others would come at other moments of each window.
 */
export function endsAlike(calls: readonly Call[], limit: number): boolean {
  const shapes = fillsOf(calls).map((fill) => {
    const values = remainingIn(fill, limit).toSorted((a, b) => b - a);
    const isSteady =
      values.length === fill.length && values.every((value, index) => value === (values[0] ?? 0) - index);
    return isSteady && fill.length >= limit / 2 && fill.length < limit ? `${fill.length} from ${values[0]}` : '';
  });
  return shapes.length > 1 && shapes[0] !== '' && new Set(shapes).size === 1;
}

/**
 * Whether calls by others may be why a fill had less than the limit: its calls got each Remaining at most once, and did
 * not get as many values as calls are missing. `isFixed`: the values of a new window begin below the limit.
 */
export function leavesRoomForOthers(calls: readonly Call[], limit: number, isFixed: boolean): boolean {
  return fillsOf(calls).some((fill, index) => {
    const values = remainingIn(fill, limit).filter((value) => value < limit);
    const distinct = new Set(values);
    const top = isFixed && index > 0 ? limit - 1 : Math.max(...distinct);
    const isLarge = distinct.size >= limit / 2;
    return isLarge && fill.length < limit && values.length === distinct.size && distinct.size <= top;
  });
}

/**
 * Whether the first fill has the whole limit, and its calls got every Remaining down to 0 (or 1) once: nobody else
 * called.
 */
export function countsDownExactly(calls: readonly Call[], limit: number): boolean {
  const fill = fillsOf(calls)[0] ?? [];
  const values = remainingIn(fill, limit).sort((a, b) => b - a);
  const [top] = values;
  return (
    fill.length === limit &&
    values.length === limit &&
    (top === limit || top === limit - 1) &&
    values.every((value, index) => value === top - index)
  );
}

/**
 * Whether two calls, one after the other, were admitted with Remaining 0: the limiter itself counts the limit as used
 * up.
 */
export function admitsAtZero(calls: readonly Call[], limit: number): boolean {
  const atZero = calls.filter(({ outcome, sample }) => outcome === 'admitted' && minuteRemaining(sample, limit) === 0);
  return atZero.some(({ to }) => atZero.some(({ from }) => from > to));
}

/**
 * Whether the first call admitted after a refusal got a lower Remaining than in a new window: calls are freed one by
 * one.
 */
export function freesGradually(calls: readonly Call[], limit: number): boolean {
  const seen = returnIn(calls);
  if (seen === null || !showsMinute(seen.back.sample, limit)) {
    return false;
  }
  const { last, back } = seen;
  const since = calls.filter(({ from, to }) => to > last.from && from <= back.to).length;
  return (minuteRemaining(back.sample, limit) ?? limit) < limit - since;
}
