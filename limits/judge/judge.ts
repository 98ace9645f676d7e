import { counted } from '../../common/words.ts';
import { mayRefill, type WindowVerdict } from './algorithm.ts';
import { mayAdmit } from './explain.ts';
import { judgeMinute, type PerMinuteVerdict } from './minute.ts';
import { type MinuteCase, minuteCase, type Trace, traceOf } from './minute-case.ts';
import { admitsUnevenly, fillsAlike } from './others.ts';
import { type ExceededVerdict, judgeExceeded, type ProbeVerdict } from './probes.ts';
import { judgeRecovery, type RecoveryVerdict } from './recovery.ts';
import { judgeRemaining, type RemainingVerdict } from './remaining.ts';
import { describeHeaders, type HeadersVerdict } from './reset.ts';
import type { Sample, Terms } from './trace.ts';

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
  readonly evidence: MinuteCase['evidence'];
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
