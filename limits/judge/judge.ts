import { counted } from '../../common/words.ts';
import { mayRefill, nameAlgorithm, type WindowVerdict } from './algorithm.ts';
import { compare, type Explanation, explain, likeliest, mayAdmit } from './explain.ts';
import { judgeMinute, type MinuteCase, type MinuteEvidence, type PerMinuteVerdict } from './minute.ts';
import { admitsUnevenly, fillsAlike, mostInARow } from './others.ts';
import { type ExceededVerdict, judgeExceeded, judgeProbes, type ProbeVerdict } from './probes.ts';
import { judgeRecovery, type RecoveryVerdict } from './recovery.ts';
import { fewestIn, firstRefusalsIn, mostAdmitted, mostAfterRefusal } from './refusals.ts';
import { judgeRemaining, type RemainingVerdict } from './remaining.ts';
import { describeHeaders, type HeadersVerdict } from './reset.ts';
import { clockSlack, type FitTerms, type Timeline, timelineOf } from './timeline.ts';
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
  readonly evidence: MinuteEvidence;
}

/** The calls of one key, prepared for all judgements. */
type Trace = ReturnType<typeof traceOf>;

function traceOf(samples: readonly Sample[], { key: label, limit, windowMs }: Terms) {
  const key = label ?? samples[0]?.key ?? '';
  const calls = callsOf(samples, key);
  const whole = timelineOf(calls);
  const refusal = refusalStatus(samples.filter((sample) => sample.key === key));
  const probes = judgeProbes(samples, { key, windowMs, refusal, possible: whole.possible });
  const apart = new Set(probes.filter(({ outcome }) => outcome === 'admitted').map(({ route }) => route));
  const timeline = apart.size === 0 ? whole : timelineOf(withoutRoutes(calls, apart));
  const slack = clockSlack(windowMs, whole.span.to - whole.span.from);
  // `timeline` is without the calls that draw on another budget.
  return { key, calls, probes, terms: { limit, windowMs, slack }, whole, timeline };
}

/**
 * The calls without those of some routes. Of calls made earlier the route is unknown, so they may have been counted or
 * not.
 */
const withoutRoutes = (calls: readonly Call[], routes: ReadonlySet<string>): Call[] =>
  calls
    .filter(({ sample }) => !routes.has(sample.route ?? ''))
    .map((call) => (call.sample.phase === 'before' ? { ...call, outcome: 'unknown' } : call));

/** All explanations of a trace, and the likeliest of them. */
function explained(timeline: Timeline, terms: FitTerms) {
  const all: readonly Explanation[] = timeline.calls.length === 0 ? [] : explain(timeline, terms);
  return { all, explanations: likeliest(all, timeline, terms) };
}

/** The calls before the first return, and no later than half a window after the first refusal. */
function untilReturn({ calls, refusalAfter }: Timeline, windowMs: number): Timeline {
  const refusedAt = refusalAfter(-Infinity);
  const back = calls.findIndex(({ from, outcome }) => outcome === 'admitted' && from > refusedAt);
  return timelineOf((back < 0 ? calls : calls.slice(0, back)).filter(({ from }) => from <= refusedAt + windowMs / 2));
}

/** What the verdict on the minute's limit is made from. */
function minuteCase({ key, probes, terms, timeline }: Trace, recovery: RecoveryVerdict): MinuteCase {
  const { limit, windowMs, slack } = terms;
  const found = explained(timeline, terms);
  const window = nameAlgorithm(timeline, found.explanations, limit);
  const row = mostInARow(timeline);
  // If nothing explains how calls returned, the calls before the return still show the number, unless too many
  // returned.
  const isUsable = found.all.length > 0 || (recovery.verdict === 'holds' && row > limit);
  const usable = isUsable ? found : explained(untilReturn(timeline, windowMs), terms);
  const firstRefusals = firstRefusalsIn(timeline, windowMs, slack);
  const evidence: MinuteEvidence = {
    mostInAWindow: mostAdmitted(timeline, windowMs, slack),
    fewestAtRefusal: fewestIn(firstRefusals),
    afterRefusal: mostAfterRefusal(timeline, terms),
    mostInARow: row,
    isSettled: new Set(usable.all.flatMap((one) => compare(one, limit))).size < 2,
    mayBeFirstCall: usable.explanations.some(({ family, phase }) => family === 'fixed window' && phase === undefined),
  };
  return { key, limit, windowMs, timeline, ...usable, window, probes, firstRefusals, evidence };
}

/**
 * Whether calls by other clients could explain the verdict: Remaining shows them, or one window admitted less than
 * another. They cannot explain calls admitted beyond the limit, but may make windows of the documented size look like
 * those of another limiter, which admits more.
 */
function isForeign(
  { verdict }: PerMinuteVerdict,
  { foreignCalls }: RemainingVerdict,
  { timeline, terms }: Trace,
  own: boolean,
): boolean {
  const { limit } = terms;
  const { calls } = timeline;
  if (own || verdict === 'holds' || (verdict === 'more' && !mayAdmit(timeline, terms))) {
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
  return { verdict: 'undecided', enforced: null, says };
}

/**
 * Judges the trace of one key (`terms.key`, or that of the first sample). Throws nothing; an empty trace is undecided
 * throughout.
 */
export function judge(samples: readonly Sample[], terms: Terms): Verdict {
  const trace = traceOf(samples, terms);
  const { key, calls, probes } = trace;
  const recovery = judgeRecovery(trace.whole, trace.terms);
  const minute = minuteCase(trace, recovery);
  const { window, evidence } = minute;
  const number = judgeMinute(minute);
  const remaining = judgeRemaining(samples, {
    ...terms,
    key,
    enforced: number.verdict === 'fewer' ? (number.enforced ?? 0) : number.enforced,
    refills: mayRefill(window),
  });
  const foreign = isForeign(number, remaining, trace, terms.own === true);
  const others = usedByOthers(number, remaining);
  // If the limit is exceeded, there is no telling what Remaining should be.
  const isOpen = remaining.verdict === 'fails' && number.verdict === 'more';
  const says = 'The limit is exceeded, so there is no right number for Remaining.';
  return {
    perMinute: foreign ? others : number,
    window,
    remaining: isOpen ? { ...remaining, verdict: 'undecided', says } : remaining,
    headers: describeHeaders(calls, terms.windowMs, terms.limit),
    recovery: foreign ? { verdict: 'undecided', says: others.says, after: null } : recovery,
    exceeded: judgeExceeded(trace.whole.refused, probes, number.verdict === 'more' ? evidence.mostInAWindow : 0),
    probes,
    foreign,
    evidence,
  };
}
