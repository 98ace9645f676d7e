// The verdict on the minute's limit: its number, and whether every kind of call draws on it.
import { counted, firstOf, thousands } from '../../common/words.ts';
import { compare, type Explanation, type Family, isPlain } from './explain.ts';
import type { MinuteCase } from './minute-case.ts';
import { algorithmIn, causeOf } from './minute-words.ts';
import { countsDownExactly } from './others.ts';

export interface PerMinuteVerdict {
  readonly verdict: 'holds' | 'fewer' | 'more' | 'undecided';
  /** The limit that the deployment enforces; null unless the trace shows it exactly. */
  readonly enforced: number | null;
  readonly says: string;
}

const answer = (
  verdict: PerMinuteVerdict['verdict'],
  says: string,
  enforced: number | null = null,
): PerMinuteVerdict => ({ verdict, enforced, says });

/**
 * Whether a call was certainly refused too early. After a busy window two limiters of the right size refuse early by
 * design: a sliding counter, which weighs the window before, and a window in segments, which holds a call for longer than
 * a minute.
 */
const isEarly = ({ limit, firstRefusals }: MinuteCase): boolean =>
  firstRefusals.some(({ countOfTwo }) => countOfTwo < limit);

/** Whether more calls than the limit were certainly admitted in a minute. */
function isOverLimit({ limit, timeline, evidence }: MinuteCase): boolean {
  const { mostInAWindow: worst, isSettled, mostInARow: row } = evidence;
  // If nothing was refused, a window may have ended among the calls, and the two windows together admit up to twice the
  // limit.
  const isCertain = timeline.refused.length > 0 || isSettled || worst > 2 * limit;
  return worst > limit && row > limit && isCertain;
}

/**
 * Whether Remaining counted down from the limit to 0 and the next call was refused, and only the way in which calls came
 * back leaves the number open: a fixed window that ended within the trace or, if the trace goes on for a whole window
 * after the first refusal, a sliding counter, which may weigh calls that the judge does not know of.
 */
function countsDownToLimit({ limit, windowMs, timeline, explanations }: MinuteCase): boolean {
  const open = explanations.filter((one) => compare(one, limit).join() !== 'holds');
  const isExplained = explanations.some((one) => compare(one, limit).includes('holds'));
  const isWhole = timeline.span.to - timeline.refusalAfter(-Infinity) > windowMs;
  const mayBeOpen: readonly Family[] = isExplained ? ['fixed window'] : isWhole ? ['sliding counter'] : [];
  return (
    open.length > 0 &&
    open.every(({ family }) => mayBeOpen.includes(family)) &&
    countsDownExactly(timeline.calls, limit)
  );
}

/**
 * Whether explanations that all give a lower limit are enough for the verdict `fewer`. A sliding counter alone is not:
 * it may weigh calls that the judge does not know of. Nor are limiters that agree on no number, as long as every
 * refusal may have come after as many calls as documented.
 */
function provesFewer({ limit, explanations, evidence }: MinuteCase): boolean {
  const agreed = agreedLimit(explanations);
  // Two fixed windows may meet in a minute; more than they hold was never admitted by so few.
  const isAgreed = agreed !== null && 2 * agreed >= evidence.mostInAWindow;
  const isCertain = isAgreed || evidence.fewestAtRefusal < limit;
  return isCertain && explanations.some(({ family }) => family !== 'sliding counter');
}

/** Judges the minute's number by the calls of the drive's own kind. */
function judgeNumber(minute: MinuteCase): PerMinuteVerdict {
  const { limit, timeline, explanations, evidence } = minute;
  if (isEarly(minute)) {
    return fewer(minute);
  }
  const comparisons = new Set(explanations.flatMap((each) => compare(each, limit)));
  const isShort = evidence.afterRefusal > limit + 1;
  const isOver = isShort || isOverLimit(minute);
  if (isShort || (comparisons.size === 0 && isOver)) {
    return more(minute);
  }
  const holds = (says: string): PerMinuteVerdict => answer('holds', says, limit);
  if (countsDownToLimit(minute)) {
    return holds(
      `${thousands(limit)} calls were admitted while Remaining counted down from ${limit - 1} to 0, and the next was refused.`,
    );
  }
  const [only] = comparisons.size === 1 ? [...comparisons] : [];
  if (only === 'holds' && timeline.refused.length > 0) {
    return holds(
      `${thousands(limit)} calls were admitted in a minute${algorithmIn(minute.window)}, and the next was refused until the window moved on.`,
    );
  }
  if (only === 'fewer' && provesFewer(minute)) {
    return fewer(minute);
  }
  return only === 'more' && isOver ? more(minute) : undecided(minute);
}

/** Judges the minute's limit of a key: its number, and whether every kind of call draws on it. */
export function judgeMinute(minute: MinuteCase): PerMinuteVerdict {
  const number = judgeNumber(minute);
  const apart = minute.probes.filter((probe) => probe.outcome === 'admitted' && probe.key === minute.key);
  if (number.verdict === 'fewer' || apart.length === 0) {
    return number;
  }
  const routes = firstOf(
    apart.map(({ route }) => route),
    4,
  );
  const calls = `${counted(apart.length, 'other call')} ${apart.length === 1 ? 'was' : 'were'}`;
  const says = `${calls} accepted while the key was over its limit: ${routes}. The limit of ${thousands(minute.limit)} a minute must cover every call.`;
  return answer('more', says);
}

/**
 * The one limit that all explanations give; null if they differ or give a range. If there are plain explanations, only
 * those count, since the others are less exact.
 */
function agreedLimit(explanations: readonly Explanation[]): number | null {
  const simple = explanations.filter(isPlain);
  const [first, ...others] = simple.length > 0 ? simple : explanations;
  return first !== undefined && [first, ...others].every(({ low, high }) => low === first.low && high === first.low)
    ? first.low
    : null;
}

/** The verdict that fewer calls than documented are admitted. */
function fewer(minute: MinuteCase): PerMinuteVerdict {
  const { limit, explanations, window } = minute;
  const enforced = agreedLimit(explanations);
  const isSpacing = window.algorithm === 'spacing or small bucket';
  if (enforced !== null && enforced < limit && !isSpacing) {
    const says = `${counted(enforced, 'call')} a minute are admitted${algorithmIn(minute.window)}, ${thousands(limit - enforced)} fewer than the documented ${thousands(limit)}.${causeOf(enforced, limit)}`;
    return answer('fewer', says, enforced);
  }
  const fewest = counted(minute.evidence.fewestAtRefusal, 'call');
  const why = isSpacing
    ? ' The limiter spaces calls out.'
    : window.algorithm === 'renewed by each call'
      ? ' Each call begins the window anew, so that steady use fills it.'
      : '';
  const says = `A call was refused after only ${fewest} in the preceding minute; documented: ${thousands(limit)}.${why}`;
  return answer('fewer', says);
}

/** The verdict that more calls than documented are admitted. */
function more(minute: MinuteCase): PerMinuteVerdict {
  const { limit, explanations, timeline, evidence } = minute;
  const { mostInAWindow: worst, afterRefusal, mostInARow: row } = evidence;
  const enforced = agreedLimit(explanations);
  const documented = `documented: ${thousands(limit)}`;
  const isMore = (says: string): PerMinuteVerdict => answer('more', says, enforced);
  const admitted = `${counted(worst, 'call')} were admitted within one minute`;
  if (timeline.refused.length === 0) {
    return isMore(`${admitted}, and none was refused; ${documented}.`);
  }
  if (afterRefusal > limit + 1 && row <= limit) {
    const calls = `${counted(afterRefusal, 'call')} were admitted in the minute after one was refused`;
    return isMore(`${calls}: the window is shorter than a minute; ${documented}.`);
  }
  if (explanations.length > 0 && explanations.every(({ family }) => family === 'token bucket')) {
    const size = enforced === null ? `about ${thousands(limit)}` : thousands(enforced);
    return isMore(`${admitted}: a token bucket of ${size} that refills continuously; ${documented}.`);
  }
  if (enforced !== null) {
    const says = `${counted(enforced, 'call')} a minute are admitted${algorithmIn(minute.window)}, ${thousands(enforced - limit)} more than the documented ${thousands(limit)}.${causeOf(enforced, limit)}`;
    return isMore(says);
  }
  const least = counted(Math.min(worst, Math.max(row, limit + 1)), 'call');
  const says = `${least} were admitted within one minute, which no window of ${thousands(limit)} explains. Perhaps the counter is not atomic, or each process counts for itself.`;
  return isMore(says);
}

/** The verdict that the trace does not decide, with what was seen. */
function undecided({ limit, timeline, explanations, evidence }: MinuteCase): PerMinuteVerdict {
  const isOpen = (says: string): PerMinuteVerdict => answer('undecided', says);
  if (timeline.refused.length === 0) {
    const slowest = timeline.calls.reduce((most, { from, to }) => Math.max(most, to - from), 0);
    const why =
      slowest > 5000
        ? `the slowest response took ${(slowest / 1000).toFixed(0)} s, so the deployment may delay calls instead of refusing them`
        : 'too few of them were certainly in one window';
    const calls = counted(timeline.admitted.froms.length, 'call');
    return isOpen(
      `None of ${calls} was refused, at most ${thousands(evidence.mostInAWindow)} of them certainly admitted within one minute: ${why}.`,
    );
  }
  const calls = `${counted(timeline.admitted.froms.length, 'call')} admitted and ${thousands(timeline.refused.length)} refused`;
  return isOpen(
    explanations.length === 0
      ? `No known limiter decides like this: ${calls}.`
      : `The limit of ${thousands(limit)} is neither proven nor disproven: ${calls}, which fits ${[...new Set(explanations.map(({ family }) => family))].join(', ')}.`,
  );
}
