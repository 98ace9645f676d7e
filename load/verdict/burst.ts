import { cleanBound, countBursts, type BurstCount } from '../judge/races.ts';
import type { Haul } from '../runner/collect.ts';
import type { Plan } from '../seam/plan.ts';
import { judgeOverLimit, type Judgement } from './over-limit.ts';

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/** What a row of clean bursts is worth: said beside every verdict, since a race that was not met may still be there. */
function worth(bursts: readonly BurstCount[], limit: number): string {
  const dirty = bursts.filter(({ admitted, duplicates }) => admitted > limit || duplicates > 0).length;
  if (dirty > 0) return `${dirty} of ${bursts.length} bursts showed a race: too many admitted, or one Remaining told twice.`;
  return `${bursts.length} clean bursts: at 95 % confidence a burst is over-admitted in at most ${percent(cleanBound(bursts.length))} of cases.`;
}

/** burst: the minute's limit under concurrency, with each burst's counts and what their number proves. */
export const judgeBurst = (plan: Plan, haul: Haul): Judgement =>
  judgeOverLimit(plan, haul, (subject, samples, { perMinute, remaining, foreign, evidence }) => {
    const bursts = countBursts(samples, subject.limit);
    return { perMinute, remaining, foreign, evidence, bursts, worth: worth(bursts, subject.limit) };
  });
