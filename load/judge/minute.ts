// The minute's limit: the scripts per-minute and burst.
import { crowdSays, judgeBursts } from '../../limits/judge/bursts.ts';
import { judge } from '../../limits/judge/judge.ts';
import type { Sample, Terms } from '../../limits/judge/trace.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import { type Judged, limitClause } from '../seam/trace.ts';
import { obstacle, open, overLimitParts } from './parts.ts';

const termsOf = ({ windowMs }: Pick<Plan, 'windowMs'>, { limit, label, alone }: Subject): Terms => ({
  limit,
  windowMs,
  key: label,
  own: alone,
});

/**
 * Judges a drive over the limit (limits/procedure/minute.ts) of one key. `atOnce`: how many concurrent calls were
 * admitted, if more were refused for that.
 */
export function judgeMinuteOf(
  plan: Pick<Plan, 'windowMs'>,
  subject: Subject,
  samples: readonly Sample[],
  atOnce: number | null,
): Judged {
  const why = obstacle(samples.filter(({ key }) => key === subject.label));
  if (why !== null) {
    return open(subject, why);
  }
  const judged = judge(samples, termsOf(plan, subject));
  const { window, headers, recovery, perMinute, exceeded: _, ...detail } = judged;
  // Whether concurrent calls are limited, too, belongs to what is said of the limiter.
  const seen = atOnce === null ? window : { ...window, says: `${window.says} ${crowdSays(atOnce)}` };
  return {
    parts: [
      ...overLimitParts(subject, samples, judged),
      { clause: limitClause(subject.api, 'recovery'), verdict: recovery.verdict, says: recovery.says },
      { clause: limitClause(subject.api, 'header-format'), verdict: 'observed', says: '', observed: headers },
      { clause: limitClause(subject.api, 'window'), verdict: 'observed', says: '', observed: seen },
    ],
    says: [perMinute.says, seen.says],
    detail: { ...detail, perMinute, recovery, headers, window: seen },
  };
}

/** Judges bursts (limits/procedure/burst.ts) with one key. */
export function judgeBurstsOf(plan: Pick<Plan, 'windowMs'>, subject: Subject, samples: readonly Sample[]): Judged {
  const why = obstacle(samples);
  if (why !== null) {
    return open(subject, why);
  }
  const judged = judgeBursts(samples, termsOf(plan, subject));
  const { perMinute, remaining, foreign, evidence } = judged;
  return {
    parts: overLimitParts(subject, samples, judged),
    says: [perMinute.says],
    detail: { perMinute, remaining, foreign, evidence },
  };
}
