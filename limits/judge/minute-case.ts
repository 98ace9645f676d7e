// The calls of a key, prepared for all judgements, and what the verdict on the minute's limit is made from.
import { nameAlgorithm } from './algorithm.ts';
import { compare, type Explanation, explain, likeliest } from './explain.ts';
import { mostInARow } from './others.ts';
import { judgeProbes } from './probes.ts';
import type { RecoveryVerdict } from './recovery.ts';
import { fewestIn, firstRefusalsIn, mostAdmitted, mostAfterRefusal } from './refusals.ts';
import { clockSlack, type FitTerms, type Timeline, timelineOf } from './timeline.ts';
import { type Call, callsOf, refusalStatus, type Sample, type Terms } from './trace.ts';

/** The calls of one key, prepared for all judgements. */
export type Trace = ReturnType<typeof traceOf>;

export function traceOf(samples: readonly Sample[], { key: label, limit, windowMs }: Terms) {
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

/** Everything that the verdict on the minute's limit is made from. */
export type MinuteCase = ReturnType<typeof minuteCase>;

export function minuteCase({ key, probes, terms, timeline }: Trace, recovery: RecoveryVerdict) {
  const { limit, windowMs, slack } = terms;
  const found = explained(timeline, terms);
  const row = mostInARow(timeline);
  // If nothing explains how calls returned, the calls before the return still show the number, unless too many
  // returned.
  const isUsable = found.all.length > 0 || (recovery.verdict === 'holds' && row > limit);
  const { all, explanations } = isUsable ? found : explained(untilReturn(timeline, windowMs), terms);
  const firstRefusals = firstRefusalsIn(timeline, windowMs, slack);
  /** What was counted in a trace, and what its explanations have in common. */
  const evidence = {
    /**
     * The most calls certainly admitted in any stretch of a window's length; two adjacent windows may admit twice the
     * limit.
     */
    mostInAWindow: mostAdmitted(timeline, windowMs, slack),
    /** The fewest calls that can have been admitted in a window's length before a first refusal; Infinity if none was. */
    fewestAtRefusal: fewestIn(firstRefusals),
    /** The most calls certainly admitted in a window's length after a refusal. */
    afterRefusal: mostAfterRefusal(timeline, terms),
    /** The most calls admitted from one return to the next, however long that took. */
    mostInARow: row,
    /** Whether all explanations, those that need a rare coincidence included, compare with the limit in the same way. */
    isSettled: new Set(all.flatMap((one) => compare(one, limit))).size < 2,
    /** Whether fixed windows that begin with the first call explain the trace. */
    mayBeFirstCall: explanations.some(({ family, phase }) => family === 'fixed window' && phase === undefined),
  };
  const window = nameAlgorithm(timeline, found.explanations, limit);
  return { key, limit, windowMs, timeline, explanations, window, probes, firstRefusals, evidence };
}
