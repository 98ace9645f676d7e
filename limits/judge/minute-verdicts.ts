// The verdicts on the minute's limit, as sentences.
import { counted, thousands } from '../../common/words.ts';
import { keyLimits, planLimits } from '../../contract/limits.ts';
import { type Explanation, type Family, familyWords, isPlain } from './hypotheses.ts';
import { fewestIn } from './log.ts';
import type { MinuteCase, PerMinuteVerdict } from './minute-case.ts';
import type { Timeline } from './timeline.ts';

/**
 * The one limit that all explanations give; null if they differ or give a range. If there are plain explanations, only
 * those count, since the others are less exact.
 */
export function agreedLimit(explanations: readonly Explanation[]): number | null {
  const plain = explanations.filter(isPlain);
  const [first, ...others] = plain.length > 0 ? plain : explanations;
  return first !== undefined && [first, ...others].every(({ low, high }) => low === first.low && high === first.low)
    ? first.low
    : null;
}

const documentedFor: readonly (readonly [number, string])[] = [
  [keyLimits.sandbox.perMinute, 'a sandbox key'],
  [keyLimits.live.perMinute, 'a live key'],
  [planLimits.professional.perMinute, 'the professional plan'],
  [planLimits.enterprise.perMinute, 'the enterprise plan'],
];

/** The likely reason why another number than the documented one is enforced, as a sentence; empty if none is likely. */
function causeOf(enforced: number, { limit, evidence: { intruders } }: MinuteCase): string {
  const other = documentedFor.find(([number]) => number === enforced);
  const times = enforced > limit && enforced % limit === 0 ? enforced / limit : null;
  if (other !== undefined) {
    const [, whose] = other;
    return times === null ? ` That is ${whose}'s limit.` : `${eachCounts(times)}, or the limit is ${whose}'s.`;
  }
  if (intruders > 0 && enforced === limit - intruders) {
    return ' Calls without a valid key from the same address seem to be counted too.';
  }
  if (enforced === limit + 1) {
    return ' Perhaps the counter is compared before it is incremented.';
  }
  if (enforced === limit - 1) {
    return ' Perhaps the counter is incremented before it is compared, so that the last call is refused.';
  }
  return times === null ? '' : `${eachCounts(times)}.`;
}

const eachCounts = (times: number): string => ` Perhaps ${times} processes or nodes each keep a count of their own`;

/** The algorithm in parentheses, for the middle of a sentence; empty if it is unknown. */
export const algorithmIn = ({ window: { algorithm } }: MinuteCase): string =>
  algorithm === 'unknown' || algorithm === 'none met' ? '' : ` (${algorithm})`;

/** The verdict that fewer calls than documented are admitted. */
export function fewer(minute: MinuteCase): PerMinuteVerdict {
  const { limit, explanations, window } = minute;
  const enforced = agreedLimit(explanations);
  const isSpacing = window.algorithm === 'spacing or small bucket';
  if (enforced !== null && enforced < limit && !isSpacing) {
    const says = `${counted(enforced, 'call')} a minute are admitted${algorithmIn(minute)}, ${limit - enforced} fewer than the documented ${thousands(limit)}.${causeOf(enforced, minute)}`;
    return { verdict: 'fewer', enforced, says, closer: 'per-minute' };
  }
  const fewest = fewestIn(minute.firstRefusals);
  const says = `A call was refused after only ${counted(fewest, 'call')} in the preceding minute; documented: ${thousands(limit)}.${isSpacing ? ' The limiter spaces calls out.' : ''}`;
  return { verdict: 'fewer', enforced: null, says, closer: 'per-minute' };
}

/** The verdict that more calls than documented are admitted. */
export function more(minute: MinuteCase): PerMinuteVerdict {
  const { limit, row, explanations, timeline, evidence } = minute;
  const { worstWindow: worst, afterRefusal } = evidence;
  const enforced = agreedLimit(explanations);
  const answer = (says: string, closer: PerMinuteVerdict['closer']): PerMinuteVerdict => ({
    verdict: 'more',
    enforced,
    says,
    closer,
  });
  if (timeline.refused.length === 0) {
    return answer(
      `${counted(worst, 'call')} were admitted within one minute, and none was refused; documented: ${thousands(limit)}.`,
      null,
    );
  }
  if (afterRefusal > limit + 1 && row <= limit) {
    return answer(
      `${counted(afterRefusal, 'call')} were admitted in the minute after one was refused: the window is shorter than a minute; documented: ${thousands(limit)}.`,
      'per-minute',
    );
  }
  if (explanations.length > 0 && explanations.every(({ family }) => family === 'token bucket')) {
    const says = `${counted(worst, 'call')} were admitted within one minute: a token bucket of ${enforced ?? `about ${limit}`} that refills continuously; documented: ${thousands(limit)}.`;
    return answer(says, 'per-minute');
  }
  if (enforced !== null) {
    const says = `${counted(enforced, 'call')} a minute are admitted${algorithmIn(minute)}, ${thousands(enforced - limit)} more than the documented ${thousands(limit)}.${causeOf(enforced, minute)}`;
    return answer(says, enforced % limit === 0 ? 'burst' : 'per-minute');
  }
  const says = `${counted(Math.min(worst, Math.max(row, limit + 1)), 'call')} were admitted within one minute, which no window of ${thousands(limit)} explains. Perhaps the counter is not atomic, or each process counts for itself.`;
  return answer(says, 'burst');
}

/**
 * The verdict that the trace does not decide, with what was seen. `isExplained` is false if no limiter explains the
 * trace.
 */
export function undecided(minute: MinuteCase, isExplained: boolean): PerMinuteVerdict {
  const { limit, timeline } = minute;
  const answer = (says: string): PerMinuteVerdict => ({
    verdict: 'undecided',
    enforced: null,
    says,
    closer: 'per-minute',
  });
  if (timeline.refused.length === 0) {
    return answer(neverRefused(minute));
  }
  if (!isExplained) {
    return answer(`No known limiter decides like this: ${courseOf(timeline)}.`);
  }
  const fits = joined(minute.explanations).map(
    ({ family, low, high }) => `a ${familyWords[family]} of ${low === high ? low : `${low} to ${high}`}`,
  );
  return answer(
    `The limit of ${limit} is neither proven nor disproven: ${courseOf(timeline)}, which fits ${fits.slice(0, 4).join(', ')}${fits.length > 4 ? ', …' : ''}.`,
  );
}

function neverRefused({ timeline, evidence }: MinuteCase): string {
  const slowest = Math.max(0, ...timeline.calls.map(({ from, to }) => to - from).slice(0, 10_000));
  const why =
    slowest > 5000
      ? `the slowest response took ${(slowest / 1000).toFixed(0)} s, so the deployment may delay calls instead of refusing them`
      : 'too few of them were certainly in one window';
  return `None of ${counted(timeline.admitted.froms.length, 'call')} was refused, at most ${evidence.worstWindow} of them certainly admitted within one minute: ${why}.`;
}

type Sized = Pick<Explanation, 'family' | 'low' | 'high'>;

/**
 * The explanations with ranges of one family joined if they overlap or touch, for sentences that name the possible
 * sizes.
 */
export function joined(explanations: readonly Sized[]): Sized[] {
  const ranges: { family: Family; low: number; high: number }[] = [];
  for (const { family, low, high } of explanations.toSorted((a, b) => a.low - b.low)) {
    const known = ranges.find((range) => range.family === family && low <= range.high + 1);
    if (known === undefined) {
      ranges.push({ family, low, high });
    } else {
      known.high = Math.max(known.high, high);
    }
  }
  return ranges;
}

/** How many calls were admitted and refused, burst by burst, with the seconds since the first call. */
function courseOf({ calls, span }: Timeline): string {
  const points: { from: number; to: number; admitted: number; refused: number }[] = [];
  for (const { from, to, outcome } of calls) {
    const last = points.at(-1);
    const belongsToLast =
      last !== undefined && (from - last.to < 1000 || (last.admitted === 0 && outcome === 'refused'));
    const point = belongsToLast ? last : { from, to, admitted: 0, refused: 0 };
    point.to = Math.max(point.to, to);
    point.admitted += outcome === 'admitted' ? 1 : 0;
    point.refused += outcome === 'refused' ? 1 : 0;
    if (!belongsToLast) {
      points.push(point);
    }
  }
  const shown = points.slice(0, 8).map(({ from, admitted, refused }) => {
    const counts = [admitted > 0 ? `${admitted} admitted` : '', refused > 0 ? `${refused} refused` : ''];
    return `${counts.filter((text) => text !== '').join(' and ') || 'no response'} at ${((from - span.from) / 1000).toFixed(1)} s`;
  });
  return `${shown.join(', ')}${points.length > shown.length ? ', …' : ''}`;
}
