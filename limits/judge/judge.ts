import { counted } from '../../common/words.ts';
import { mayRefill, nameAlgorithm, type WindowVerdict } from './algorithm.ts';
import { describeHeaders, type HeadersVerdict } from './describe.ts';
import { type ExceededVerdict, judgeExceeded } from './exceeded.ts';
import { minuteRemaining } from './headers.ts';
import { compare, type Explanation, explain, likeliest, mayAdmit } from './hypotheses.ts';
import { type FirstRefusal, fewestIn, firstRefusalsIn, mostAdmitted, mostAfterRefusal, mostInARow } from './log.ts';
import type { Evidence, MinuteCase, PerMinuteVerdict } from './minute-case.ts';
import { admitsUnevenly, fillsAlike } from './others.ts';
import { judgeMinute, mayBeCounter } from './per-minute.ts';
import { judgeProbes, type ProbeVerdict, whileRefused } from './probes.ts';
import { judgeRecovery, type RecoveryVerdict } from './recovery.ts';
import { judgeRemaining, type RemainingVerdict } from './remaining.ts';
import { clockSlack, type Timeline, timelineOf } from './timeline.ts';
import { type Call, callsOf, refusalStatus, type Sample, type Terms } from './trace.ts';

export interface Verdict {
  readonly perMinute: PerMinuteVerdict;
  readonly window: WindowVerdict;
  readonly remaining: RemainingVerdict;
  readonly headers: HeadersVerdict;
  readonly recovery: RecoveryVerdict;
  readonly exceeded: ExceededVerdict;
  /** What calls of other kinds got while the key was refused. */
  readonly probes: readonly ProbeVerdict[];
  /** Whether somebody else seems to have used the key meanwhile, so that the counts prove nothing. */
  readonly foreign: boolean;
  readonly evidence: Evidence;
}

/** The trace of one key, prepared for all judgements. */
interface Trace {
  readonly key: string;
  readonly calls: readonly Call[];
  readonly probes: readonly ProbeVerdict[];
  /** How far clocks may be off, in ms. */
  readonly slack: number;
  /** All calls with the key, and without those that draw on another budget. */
  readonly whole: Timeline;
  readonly timeline: Timeline;
  readonly firstRefusals: readonly FirstRefusal[];
}

function traceOf(samples: readonly Sample[], { key: label, windowMs }: Terms): Trace {
  const key = label ?? samples[0]?.key ?? '';
  const calls = callsOf(samples, key);
  const whole = timelineOf(calls);
  const refusal = refusalStatus(samples.filter((sample) => sample.key === key));
  const probes = judgeProbes(samples, { key, windowMs, refusal, possible: whole.possible });
  const apart = new Set(probes.filter(({ outcome }) => outcome === 'admitted').map(({ route }) => route));
  const timeline = apart.size === 0 ? whole : timelineOf(withoutRoutes(calls, apart));
  const slack = clockSlack(windowMs, whole.span.to - whole.span.from);
  return { key, calls, probes, slack, whole, timeline, firstRefusals: firstRefusalsIn(timeline, windowMs, slack) };
}

/**
 * The calls without those of some routes. Of calls made earlier the route is unknown, so they may have been counted or
 * not.
 */
const withoutRoutes = (calls: readonly Call[], routes: ReadonlySet<string>): Call[] =>
  calls
    .filter(({ sample }) => !routes.has(sample.route ?? ''))
    .map((call) => (call.sample.phase === 'before' ? { ...call, outcome: 'unknown' } : call));

interface Explained {
  readonly all: readonly Explanation[];
  readonly likely: readonly Explanation[];
}

function explainAll(timeline: Timeline, { limit, windowMs }: Terms, slack: number): Explained {
  if (timeline.calls.length === 0) {
    return { all: [], likely: [] };
  }
  const all = explain(timeline, limit, windowMs, slack);
  return { all, likely: likeliest(all, timeline, { limit, windowMs, slack }) };
}

/** The calls before the first return, and no later than half a window after the first refusal. */
function untilReturn({ calls, refusalAfter }: Timeline, windowMs: number): Timeline {
  const refusedAt = refusalAfter(-Infinity);
  const back = calls.findIndex(({ from, outcome }) => outcome === 'admitted' && from > refusedAt);
  return timelineOf((back < 0 ? calls : calls.slice(0, back)).filter(({ from }) => from <= refusedAt + windowMs / 2));
}

/** Whether a response shows the minute's limit, and less than that remaining. */
const showsLessRemaining = (sample: Sample, limit: number): boolean =>
  (minuteRemaining(sample, limit) ?? limit) < limit;

function evidenceOf(
  { key, calls, whole, timeline, slack, firstRefusals }: Trace,
  samples: readonly Sample[],
  { limit, windowMs }: Terms,
  { all, likely, isExplained }: Explained & Pick<Evidence, 'isExplained'>,
): Evidence {
  const others = samples.filter((sample) => sample.key !== key && sample.phase !== whileRefused);
  return {
    admitted: whole.admitted.froms.length,
    refused: whole.refused.length,
    unanswered: calls.length - whole.admitted.froms.length - whole.refused.length,
    worstWindow: mostAdmitted(timeline, windowMs, slack),
    fewestAtRefusal: firstRefusals.length === 0 ? null : fewestIn(firstRefusals),
    afterRefusal: mostAfterRefusal(timeline, windowMs, slack),
    intruders: others.filter((sample) => showsLessRemaining(sample, limit)).length,
    isSettled: new Set(all.flatMap((one) => compare(one, limit))).size < 2,
    isExplained,
    mayBeCounter: mayBeCounter({ all, limit }),
    mayBeFirstCall: likely.some(({ family }) => family === 'anchored'),
  };
}

/**
 * If more than the limit was certainly admitted and nothing was refused, there was no 429 over the limit; null
 * otherwise.
 */
function neverRefused(minute: PerMinuteVerdict, { refused, worstWindow }: Evidence): ExceededVerdict | null {
  if (refused > 0 || minute.verdict !== 'more') {
    return null;
  }
  const says = `${worstWindow} calls were admitted within one minute, and none was refused.`;
  return { verdict: 'fails', says, firstRefused: null };
}

/**
 * Whether calls by other clients could explain the verdict: Remaining shows them, or one window admitted less than
 * another. They cannot explain calls admitted beyond the limit, but may make windows of the documented size look like
 * those of another limiter, which admits more.
 */
function isForeign(
  { verdict }: PerMinuteVerdict,
  { foreignCalls }: RemainingVerdict,
  timeline: Timeline,
  { own, limit, windowMs, slack }: Terms & { readonly slack: number },
): boolean {
  const { calls } = timeline;
  if (own === true || verdict === 'holds' || (verdict === 'more' && !mayAdmit(timeline, limit, windowMs, slack))) {
    return false;
  }
  return verdict === 'fewer'
    ? admitsUnevenly(calls, limit) || (foreignCalls > 0 && !fillsAlike(calls, limit))
    : foreignCalls > 0;
}

function usedByOthers({ verdict }: PerMinuteVerdict, { foreignCalls }: RemainingVerdict): PerMinuteVerdict {
  const sign =
    foreignCalls > 0
      ? `Remaining shows ${counted(foreignCalls, 'call')} more than this run made`
      : 'One window admitted the whole limit and another less';
  const says = `${sign}: somebody else uses the key, or ${verdict === 'more' ? 'more' : 'fewer'} calls are admitted than documented.`;
  return { verdict: 'undecided', enforced: null, says, closer: 'per-minute' };
}

/** If the limit is exceeded, Remaining cannot be wrong about it: there is no telling what it should be. */
const unlessExceeded = (remaining: RemainingVerdict, minute: PerMinuteVerdict): RemainingVerdict =>
  remaining.verdict === 'fails' && minute.verdict === 'more'
    ? {
        ...remaining,
        verdict: 'undecided',
        says: 'The limit is exceeded, so there is no right number for Remaining.',
      }
    : remaining;

/**
 * Judges the trace of one key (`terms.key`, or that of the first sample). Throws nothing; an empty trace is undecided
 * throughout. `judgeNumber` judges the minute's limit, and differs if the trace is not that of a drive over the limit.
 */
export function judge(
  samples: readonly Sample[],
  terms: Terms,
  judgeNumber: (minute: MinuteCase, key: string) => PerMinuteVerdict = judgeMinute,
): Verdict {
  const { limit, windowMs } = terms;
  const trace = traceOf(samples, terms);
  const { key, calls, probes, slack, whole, timeline, firstRefusals } = trace;
  const explained = explainAll(timeline, terms, slack);
  const window = nameAlgorithm(timeline, explained.likely, windowMs);
  const recovery = judgeRecovery(whole, { limit, windowMs, slack });
  const row = mostInARow(timeline);
  // If nothing explains how calls returned, the calls before the return still show the number, unless too many
  // returned.
  const isUsable = explained.all.length > 0 || (recovery.verdict === 'holds' && row > limit);
  const usable = isUsable ? explained : explainAll(untilReturn(timeline, windowMs), terms, slack);
  const evidence = evidenceOf(trace, samples, terms, { ...usable, isExplained: explained.all.length > 0 });
  const { all, likely: explanations } = usable;
  const minute = judgeNumber({ limit, timeline, explanations, all, window, probes, row, firstRefusals, evidence }, key);
  const remaining = judgeRemaining(samples, {
    ...terms,
    key,
    enforced: minute.verdict === 'fewer' ? (minute.enforced ?? 0) : minute.enforced,
    refills: mayRefill(window),
  });
  const foreign = isForeign(minute, remaining, timeline, { ...terms, slack });
  return {
    perMinute: foreign ? usedByOthers(minute, remaining) : minute,
    window,
    remaining: unlessExceeded(remaining, minute),
    // Made on demand: a drive judges again and again, and needs these only at its end.
    get headers() {
      return describeHeaders(calls, windowMs, limit);
    },
    recovery: foreign ? { verdict: 'undecided', says: usedByOthers(minute, remaining).says, after: null } : recovery,
    exceeded: neverRefused(minute, evidence) ?? judgeExceeded(whole.refused, probes),
    probes,
    foreign,
    evidence,
  };
}
