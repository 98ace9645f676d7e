import { nameAlgorithm, type WindowVerdict } from './algorithm.ts';
import { describeHeaders, type HeadersVerdict } from './describe.ts';
import { type ExceededVerdict, judgeExceeded } from './exceeded.ts';
import { firstNumber, showsMinute } from './headers.ts';
import { compare, type Explanation, explain, likeliest } from './hypotheses.ts';
import { fewestIn, firstRefusalsIn, mostAdmitted, mostAfterRefusal, mostInARow } from './log.ts';
import { type Evidence, judgeMinute, type MinuteCase, mayBeCounter, type PerMinuteVerdict } from './per-minute.ts';
import { judgeProbes, type ProbeVerdict, whileRefused } from './probes.ts';
import { judgeRecovery, type RecoveryVerdict } from './recovery.ts';
import { judgeRemaining, type RemainingVerdict } from './remaining.ts';
import { clockSlack, type Timeline, timelineOf } from './timeline.ts';
import { givesBackSlowly, givesUnevenly, letsInAtZero, skipsAlike } from './told.ts';
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
  /** Somebody else used the key while it was judged: the counts prove nothing. */
  readonly foreign: boolean;
  readonly evidence: Evidence;
}

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

/** The calls without those of routes with a budget apart; whether those that were made before draw on this one is unknown. */
const countedOf = (calls: readonly Call[], apart: ReadonlySet<string>): Call[] =>
  calls
    .filter(({ sample }) => !apart.has(sample.route ?? ''))
    .map((call) => (call.sample.phase === 'before' ? { ...call, outcome: 'unknown' } : call));

/** The calls up to the first return, and no further than half a window after the first refusal. */
function untilReturn({ calls, refusalAfter }: Timeline, windowMs: number): Timeline {
  const refusedAt = refusalAfter(-Infinity);
  const back = calls.findIndex(({ from, outcome }) => outcome === 'admitted' && from > refusedAt);
  return timelineOf((back < 0 ? calls : calls.slice(0, back)).filter(({ from }) => from <= refusedAt + windowMs / 2));
}

/** Where more than the limit was certainly admitted, no refusal at all decides that too: it was exceeded without a 429. */
function neverRefused(minute: PerMinuteVerdict, { refused, worstWindow }: Evidence): ExceededVerdict | null {
  if (refused > 0 || minute.verdict !== 'more') {
    return null;
  }
  const says = `${worstWindow} calls were admitted within one minute, and none was refused.`;
  return { verdict: 'fails', says, firstRefused: null };
}

/** Whether a call was told that the minute's limit has been drawn on. */
const isToldLess = (sample: Sample, limit: number): boolean =>
  showsMinute(sample, limit) && (firstNumber(sample.remaining) ?? limit) < limit;

/** Whether others' calls explain what was judged: never that more was admitted. Only where they may have the key at all. */
function isForeign(minute: PerMinuteVerdict, remaining: RemainingVerdict, { calls }: Timeline, terms: Terms): boolean {
  if (terms.own === true || minute.verdict === 'holds' || minute.verdict === 'more') {
    return false;
  }
  const isUneven = minute.verdict === 'fewer' && givesUnevenly(calls, terms.limit);
  return isUneven || (remaining.foreignCalls > 0 && !skipsAlike(calls, terms.limit));
}

const usedByOthers = ({ foreignCalls }: RemainingVerdict): PerMinuteVerdict => ({
  verdict: 'undecided',
  enforced: null,
  says: `${foreignCalls > 0 ? `Remaining fell by ${foreignCalls} more than this run called` : 'One window gave the whole limit, and another less'}: somebody else uses the key, or fewer calls are admitted than documented.`,
  closer: 'per-minute',
});

/**
 * Judges one key's trace. Throws nothing; an empty trace is undecided throughout. `judgeNumber` judges the minute where the
 * trace is not that of a drive.
 */
export function judge(
  samples: readonly Sample[],
  terms: Terms,
  judgeNumber: (one: MinuteCase, key: string) => PerMinuteVerdict = judgeMinute,
): Verdict {
  const { limit, windowMs } = terms;
  const key = terms.key ?? samples[0]?.key ?? '';
  const calls = callsOf(samples, key);
  const whole = timelineOf(calls);
  const slack = clockSlack(windowMs, whole.span.to - whole.span.from);
  const refusal = refusalStatus(samples.filter((sample) => sample.key === key));
  const probes = judgeProbes(samples, { key, windowMs, refusal, possible: whole.possible });
  // What drew on another budget says nothing of this one.
  const apart = new Set(probes.filter(({ outcome }) => outcome === 'admitted').map(({ route }) => route));
  const timeline = apart.size === 0 ? whole : timelineOf(countedOf(calls, apart));
  const explained = explainAll(timeline, terms, slack);
  const window = nameAlgorithm(timeline, explained.likely, windowMs);
  // However calls come back, the number shows until the first return; unless more of them did than should.
  const recovery = judgeRecovery(whole, { limit, windowMs, slack });
  const row = mostInARow(timeline);
  const isUsable = explained.all.length > 0 || (recovery.verdict === 'holds' && row > limit);
  const { all, likely } = isUsable ? explained : explainAll(untilReturn(timeline, windowMs), terms, slack);
  const firstRefusals = firstRefusalsIn(timeline, windowMs, slack);
  const evidence: Evidence = {
    admitted: whole.admitted.froms.length,
    refused: whole.refused.length,
    unanswered: calls.length - whole.admitted.froms.length - whole.refused.length,
    worstWindow: mostAdmitted(timeline, windowMs, slack),
    fewestAtRefusal: firstRefusals.length === 0 ? null : fewestIn(firstRefusals),
    afterRefusal: mostAfterRefusal(timeline, windowMs, slack),
    intruders: samples.filter((one) => one.key !== key && one.phase !== whileRefused && isToldLess(one, limit)).length,
    isSettled: new Set(all.flatMap((one) => compare(one, limit))).size < 2 || letsInAtZero(calls, limit),
    mayBeCounter: mayBeCounter({ all, limit }),
    mayBeFirstCall: likely.some(({ family }) => family === 'anchored'),
  };
  const minute = judgeNumber(
    { limit, timeline, explanations: likely, all, window, probes, row, firstRefusals, evidence },
    key,
  );
  const remaining = judgeRemaining(samples, {
    ...terms,
    key,
    enforced: minute.verdict === 'fewer' ? (minute.enforced ?? 0) : minute.enforced,
    refills: /bucket|counter|unknown/.test(window.algorithm) || givesBackSlowly(calls, limit),
    isFixed: window.algorithm.startsWith('fixed window'),
  });
  const foreign = isForeign(minute, remaining, timeline, terms);
  return {
    perMinute: foreign ? usedByOthers(remaining) : minute,
    window,
    remaining:
      remaining.verdict === 'fails' && minute.verdict === 'more'
        ? {
            ...remaining,
            verdict: 'undecided',
            says: 'The limit is exceeded, so Remaining has nothing to be held against.',
          }
        : remaining,
    // A drive judges again and again, and asks for these once, at its end.
    get headers() {
      return describeHeaders(calls, windowMs);
    },
    recovery: foreign ? { verdict: 'undecided', says: usedByOthers(remaining).says, after: null } : recovery,
    exceeded: neverRefused(minute, evidence) ?? judgeExceeded(whole.refused, probes),
    probes,
    foreign,
    evidence,
  };
}
