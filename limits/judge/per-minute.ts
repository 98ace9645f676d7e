import { keyLimits, planLimits } from '../../contract/limits.ts';
import type { WindowVerdict } from './algorithm.ts';
import { courseOf } from './course.ts';
import { type Comparison, compare, type Explanation, type Family, familyWords, isPlain } from './hypotheses.ts';
import { joined } from './joined.ts';
import { type FirstRefusal, fewestIn } from './log.ts';
import type { ProbeVerdict } from './probes.ts';
import type { Timeline } from './timeline.ts';
import { toldExactly } from './told.ts';

export interface PerMinuteVerdict {
  readonly verdict: 'holds' | 'fewer' | 'more' | 'undecided';
  /** The limit that the deployment enforces, where the trace tells it to the call. */
  readonly enforced: number | null;
  readonly says: string;
  /** The load script that looks closer; null where there is nothing to look for. */
  readonly closer: 'per-minute' | 'burst' | null;
}

/** What was counted. */
export interface Evidence {
  readonly admitted: number;
  readonly refused: number;
  readonly unanswered: number;
  /** Most calls certainly admitted in any stretch of a window's length; two windows that meet may give twice the limit. */
  readonly worstWindow: number;
  /** Fewest calls that can have been admitted in a window's length before a first refusal; null where none was refused. */
  readonly fewestAtRefusal: number | null;
  /** Most calls certainly admitted in a window's length after a refusal. */
  readonly afterRefusal: number;
  /** Calls sent without the judged key that were told a Remaining below the same limit all the same. */
  readonly intruders: number;
  /** All limiters that explain the trace say the same of the limit, those that need a rare coincidence included. */
  readonly isSettled: boolean;
  /** A sliding counter of the documented size explains the trace: it may have refused early for what was called before. */
  readonly mayBeCounter: boolean;
  /** Fixed windows that begin with the first call explain the trace. */
  readonly mayBeFirstCall: boolean;
}

/** What the verdict on the minute stands on. */
export interface MinuteCase {
  readonly limit: number;
  readonly timeline: Timeline;
  /** The likeliest explanations, and all of them. */
  readonly explanations: readonly Explanation[];
  readonly all: readonly Explanation[];
  readonly window: WindowVerdict;
  readonly probes: readonly ProbeVerdict[];
  /** Most calls admitted from one return to the next, whatever time that took. */
  readonly row: number;
  readonly firstRefusals: readonly FirstRefusal[];
  readonly evidence: Evidence;
}

/** The limit that all explanations agree on (the plain ones, where there are any: the others are less exact), or null. */
function agreed(explanations: readonly Explanation[]): number | null {
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

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The likely cause of another number than the documented one, as a sentence; empty where none is likely. */
function causeOf(enforced: number, { limit, evidence: { intruders } }: MinuteCase): string {
  const other = documentedFor.find(([number]) => number === enforced);
  if (other !== undefined) {
    return ` That is the number of ${other[1]}.`;
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
  return enforced > limit && enforced % limit === 0
    ? ` Perhaps ${enforced / limit} processes or nodes each keep a count of their own.`
    : '';
}

const kindOf = ({ window: { algorithm } }: MinuteCase): string =>
  algorithm === 'unknown' || algorithm === 'none met' ? '' : ` (${algorithm})`;

function fewer(one: MinuteCase): PerMinuteVerdict {
  const { limit, explanations, window } = one;
  const fewest = fewestIn(one.firstRefusals);
  const enforced = agreed(explanations);
  if (enforced !== null && window.algorithm !== 'spacing or small bucket') {
    const says = `${plural(enforced, 'call')} a minute are admitted${kindOf(one)}, ${limit - enforced} fewer than the documented ${limit}.${causeOf(enforced, one)}`;
    return { verdict: 'fewer', enforced, says, closer: 'per-minute' };
  }
  const spaced = window.algorithm === 'spacing or small bucket' ? ' The limiter spaces calls out.' : '';
  const says = `A call was refused with no more than ${fewest} admitted in the minute before it; the documents give ${limit}.${spaced}`;
  return { verdict: 'fewer', enforced: null, says, closer: 'per-minute' };
}

function more(one: MinuteCase): PerMinuteVerdict {
  const { limit, row, explanations, timeline, evidence } = one;
  const { worstWindow: worst, afterRefusal } = evidence;
  const enforced = agreed(explanations);
  const answer = (says: string, closer: PerMinuteVerdict['closer']): PerMinuteVerdict => ({
    verdict: 'more',
    enforced,
    says,
    closer,
  });
  if (timeline.refused.length === 0) {
    return answer(
      `${worst} calls were admitted within one minute, and none was refused; the documents give ${limit}.`,
      null,
    );
  }
  if (afterRefusal > limit + 1 && row <= limit) {
    return answer(
      `${afterRefusal} calls were admitted in the minute after one was refused: the window is shorter than a minute; the documents give ${limit}.`,
      'per-minute',
    );
  }
  if (explanations.length > 0 && explanations.every(({ family }) => family === 'token bucket')) {
    const says = `${worst} calls were admitted within one minute: a bucket of ${enforced ?? `about ${limit}`} that is refilled one by one meanwhile; the documents give ${limit}.`;
    return answer(says, 'per-minute');
  }
  if (enforced !== null) {
    const says = `${plural(enforced, 'call')} a minute are admitted${kindOf(one)}, ${enforced - limit} more than the documented ${limit}.${causeOf(enforced, one)}`;
    return answer(says, enforced % limit === 0 ? 'burst' : 'per-minute');
  }
  const says = `${Math.min(worst, Math.max(row, limit + 1))} calls were admitted within one minute, in no way that windows of ${limit} explain. Perhaps concurrent calls do not see each other's counts, or several processes each keep a count of their own.`;
  return answer(says, 'burst');
}

function undecided(one: MinuteCase, found: ReadonlySet<Comparison>): PerMinuteVerdict {
  const { limit, explanations, timeline } = one;
  const worst = one.evidence.worstWindow;
  const answer = (says: string): PerMinuteVerdict => ({
    verdict: 'undecided',
    enforced: null,
    says,
    closer: 'per-minute',
  });
  const slowest = Math.max(0, ...timeline.calls.map(({ from, to }) => to - from).slice(0, 10_000));
  if (timeline.refused.length === 0) {
    const { froms } = timeline.admitted;
    const why =
      slowest > 5000
        ? `the slowest response took ${(slowest / 1000).toFixed(0)} s: the deployment may delay calls instead of refusing them`
        : 'too few of them fell certainly into one window';
    return answer(
      `None of ${froms.length} calls was refused, at most ${worst} of them certainly admitted within one minute: ${why}.`,
    );
  }
  if (found.size === 0) {
    return answer(`No limiter that is known makes these decisions: ${courseOf(timeline)}.`);
  }
  const fits = joined(explanations).map(
    ({ family, low, high }) => `a ${familyWords[family]} of ${low === high ? low : `${low} to ${high}`}`,
  );
  return answer(
    `The limit of ${limit} is neither proven nor disproven: ${courseOf(timeline)}, which fits ${fits.slice(0, 4).join(', ')}${fits.length > 4 ? ', …' : ''}.`,
  );
}

/** Whether a limiter of the documented size and one of these families explains the trace. */
const mayBe = ({ all, limit }: Pick<MinuteCase, 'all' | 'limit'>, ...families: readonly Family[]): boolean =>
  all.some(({ family, low, high }) => families.includes(family) && low <= limit && limit <= high);

/** Whether a sliding counter of the documented size explains the trace. */
export const mayBeCounter = (one: Pick<MinuteCase, 'all' | 'limit'>): boolean => mayBe(one, 'counter');

/**
 * Whether a call was refused too early beyond doubt. After a busy window a sliding counter of the right size may refuse early,
 * more so where it counts refused calls; so may segments, which hold a call for longer than a minute: that is their design, and no
 * failure. An idle key has no such window.
 */
function isEarly(one: MinuteCase): boolean {
  const mayWeigh = mayBe(one, 'counter', 'segments');
  return one.firstRefusals.some(
    ({ count, isIdle, isClean }) => count < one.limit && (isIdle || (isClean && !mayWeigh)),
  );
}

/** Judges the minute's number by the plain calls alone. */
function judgeNumber(one: MinuteCase): PerMinuteVerdict {
  const { limit, timeline, explanations, row } = one;
  const { worstWindow: worst, afterRefusal, isSettled } = one.evidence;
  if (isEarly(one)) {
    return fewer(one);
  }
  const found = new Set(explanations.flatMap((each) => compare(each, limit)));
  // Where nothing was refused, a window may have ended among the calls: twice the limit may be let in then, and no more.
  const isCertain = timeline.refused.length > 0 || isSettled || worst > 2 * limit;
  const isShort = afterRefusal > limit + 1;
  const isOver = isShort || (worst > limit && row > limit && isCertain);
  if (isShort || (found.size === 0 && isOver)) {
    return more(one);
  }
  const onlyEdges = explanations.every(
    (each) => each.family === 'grid' || each.family === 'anchored' || compare(each, limit).join() === 'holds',
  );
  if (found.has('holds') && found.size > 1 && onlyEdges && toldExactly(timeline.calls, limit)) {
    const says = `${limit} calls were admitted, told Remaining ${limit - 1} to 0 one by one, and the next was refused.`;
    return { verdict: 'holds', enforced: limit, says, closer: null };
  }
  const [only] = found.size === 1 ? [...found] : [];
  if (only === 'holds' && timeline.refused.length > 0) {
    const says = `${limit} calls were admitted in a minute${kindOf(one)}, and the next was refused until the window gave way.`;
    return { verdict: 'holds', enforced: limit, says, closer: null };
  }
  // A counter may weigh what the judge does not know of: it shows no lower limit by itself. Nor do limiters that agree on no number,
  // as long as every refusal may have come after as many calls as are documented.
  const isTold = agreed(explanations) !== null || fewestIn(one.firstRefusals) < limit;
  if (only === 'fewer' && isTold && explanations.some(({ family }) => family !== 'counter')) {
    return fewer(one);
  }
  return only === 'more' && isOver ? more(one) : undecided(one, found);
}

/** Judges the minute's limit: its number, and that every kind of call draws on it. */
export function judgeMinute(one: MinuteCase, key: string): PerMinuteVerdict {
  const number = judgeNumber(one);
  const apart = one.probes.filter((probe) => probe.outcome === 'admitted' && probe.key === key);
  if (number.verdict === 'fewer' || apart.length === 0) {
    return number;
  }
  const first = apart.slice(0, 4).map(({ route }) => route);
  const left = apart.length > 4 ? `, and ${apart.length - 4} more` : '';
  return {
    verdict: 'more',
    enforced: null,
    says: `${plural(apart.length, 'other call')} got through while the key was refused: ${first.join(', ')}${left}. One budget of ${one.limit} a minute should hold for every call.`,
    closer: null,
  };
}
