import { counted, firstOf, thousands } from '../../common/words.ts';
import { compare, type Family } from './hypotheses.ts';
import { fewestIn } from './log.ts';
import type { MinuteCase, PerMinuteVerdict } from './minute-case.ts';
import { agreedLimit, algorithmIn, fewer, more, undecided } from './minute-verdicts.ts';
import { countsDownExactly } from './others.ts';

/** Whether a limiter of the documented size and one of these families explains the trace. */
const mayBe = ({ all, limit }: Pick<MinuteCase, 'all' | 'limit'>, ...families: readonly Family[]): boolean =>
  all.some(({ family, low, high }) => families.includes(family) && low <= limit && limit <= high);

/** Whether a sliding counter of the documented size explains the trace. */
export const mayBeCounter = (minute: Pick<MinuteCase, 'all' | 'limit'>): boolean => mayBe(minute, 'counter');

/**
 * Whether a call was certainly refused too early. By design, and without a failure, two limiters of the right size may
 * refuse early after a busy window: a sliding counter, more so if it counts refused calls, and a window in segments,
 * which holds a call for longer than a minute. Neither can if the key was idle before.
 */
function isEarly(minute: MinuteCase): boolean {
  const mayWeigh = mayBe(minute, 'counter', 'segments');
  return minute.firstRefusals.some(
    ({ count, isIdle, isClean }) => count < minute.limit && (isIdle || (isClean && !mayWeigh)),
  );
}

/** Whether more calls than the limit were certainly admitted in a minute. */
function isOverLimit({ limit, timeline, row, evidence }: MinuteCase): boolean {
  const { worstWindow: worst, isSettled } = evidence;
  // If nothing was refused, a window may have ended among the calls, and the two windows together admit up to twice the
  // limit.
  const isCertain = timeline.refused.length > 0 || isSettled || worst > 2 * limit;
  return worst > limit && row > limit && isCertain;
}

/**
 * Whether only fixed windows that end within the trace leave the number open, while Remaining counts exactly down to
 * it.
 */
function countsDownToLimit({ limit, timeline, explanations }: MinuteCase): boolean {
  const onlyEdges = explanations.every(
    (each) => each.family === 'grid' || each.family === 'anchored' || compare(each, limit).join() === 'holds',
  );
  return onlyEdges && countsDownExactly(timeline.calls, limit);
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
  if (comparisons.has('holds') && comparisons.size > 1 && countsDownToLimit(minute)) {
    const says = `${limit} calls were admitted while Remaining counted down from ${limit - 1} to 0, and the next was refused.`;
    return { verdict: 'holds', enforced: limit, says, closer: null };
  }
  const [only] = comparisons.size === 1 ? [...comparisons] : [];
  if (only === 'holds' && timeline.refused.length > 0) {
    const says = `${limit} calls were admitted in a minute${algorithmIn(minute)}, and the next was refused until the window moved on.`;
    return { verdict: 'holds', enforced: limit, says, closer: null };
  }
  if (only === 'fewer' && provesFewer(minute)) {
    return fewer(minute);
  }
  return only === 'more' && isOver ? more(minute) : undecided(minute, comparisons.size > 0);
}

/**
 * Whether explanations that all give a lower limit are enough for the verdict `fewer`. A sliding counter alone is not:
 * it may weigh calls that the judge does not know of. Nor are limiters that agree on no number, as long as every
 * refusal may have come after as many calls as documented.
 */
function provesFewer({ limit, explanations, firstRefusals }: MinuteCase): boolean {
  const isCertain = agreedLimit(explanations) !== null || fewestIn(firstRefusals) < limit;
  return isCertain && explanations.some(({ family }) => family !== 'counter');
}

/** Judges the minute's limit of a key: its number, and whether every kind of call draws on it. */
export function judgeMinute(minute: MinuteCase, key: string): PerMinuteVerdict {
  const number = judgeNumber(minute);
  const apart = minute.probes.filter((probe) => probe.outcome === 'admitted' && probe.key === key);
  if (number.verdict === 'fewer' || apart.length === 0) {
    return number;
  }
  return {
    verdict: 'more',
    enforced: null,
    says: `${counted(apart.length, 'other call')} ${apart.length === 1 ? 'was' : 'were'} accepted while the key was over its limit: ${firstOf(
      apart.map(({ route }) => route),
      4,
    )}. The limit of ${thousands(minute.limit)} a minute must cover every call.`,
    closer: null,
  };
}
