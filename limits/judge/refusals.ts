// What a trace shows of any limiter: the most calls that it certainly admitted in a window, and the fewest before a refusal.
import { certainlyWithin, type FitTerms, justAfter, possiblyWithin, type Timeline } from './timeline.ts';

/** The most calls certainly admitted within any one window's length. */
export function mostAdmitted({ admitted }: Timeline, windowMs: number, slack: number): number {
  return admitted.froms.reduce(
    (most, from) => Math.max(most, certainlyWithin(admitted, from, from + windowMs - slack)),
    0,
  );
}

/** The fewest calls that can have been admitted in the window before a refusal; Infinity if nothing was refused. */
export function fewestAtRefusal({ refused, possible }: Timeline, windowMs: number, slack: number): number {
  return refused.reduce(
    (fewest, { from, to }) => Math.min(fewest, possiblyWithin(possible, from - windowMs - slack, to)),
    Infinity,
  );
}

/** A refusal without another refusal in the window before it. A type, since the published types spell it out. */
type FirstRefusal = {
  /** The most calls that can have been admitted in the window before it. */
  readonly count: number;
  /** With all calls in the window before that one: no sliding counter weighs more, and no segment holds more. */
  readonly countOfTwo: number;
};

/**
 * The refusals without another refusal in the window before them. With fewer than the limit admitted in that window,
 * such a refusal is wrong for any fixed window, log or bucket, whatever it counts. Of refusals under way at once, any
 * may have been the first. A refusal with nothing admitted before it is left out: it is about recovery.
 */
export function firstRefusalsIn({ refused, possible, all }: Timeline, windowMs: number, slack: number): FirstRefusal[] {
  const found: FirstRefusal[] = [];
  let firstTo = Infinity;
  let lastTo = -Infinity;
  for (const { from, to } of refused) {
    const since = from - windowMs - slack;
    const count = possiblyWithin(possible, since, to);
    const countOfTwo = count + possiblyWithin(all, since - windowMs, since);
    if (since > lastTo) {
      found.push({ count, countOfTwo });
      [firstTo, lastTo] = [to, to];
    } else if (from <= firstTo) {
      const last = found.pop() as FirstRefusal;
      found.push({ count: Math.max(last.count, count), countOfTwo: Math.max(last.countOfTwo, countOfTwo) });
    }
    [firstTo, lastTo] = [Math.min(firstTo, to), Math.max(lastTo, to)];
  }
  return found.filter(({ count }) => count > 0);
}

/** The fewest calls admitted before a first refusal; Infinity if there is none. */
export const fewestIn = (refusals: readonly FirstRefusal[]): number =>
  Math.min(Infinity, ...refusals.map(({ count }) => count));

/**
 * The most calls certainly admitted in the minute after a refusal at which the limit may have been reached. More than the
 * limit (and one for rounding) is too many for any limiter: a fixed window ends only once in that time, and in all others
 * an admitted call counts until the minute is over. An earlier refusal shows no full window: it may be one of too many
 * calls at once.
 */
export function mostAfterRefusal(
  { refused, admitted, possible }: Timeline,
  { limit, windowMs, slack }: FitTerms,
): number {
  const full = refused.filter(({ from, to }) => possiblyWithin(possible, from - windowMs - slack, to) >= limit);
  return full.reduce(
    (most, { from, to }) => Math.max(most, certainlyWithin(admitted, justAfter(to), from + windowMs - slack)),
    0,
  );
}
