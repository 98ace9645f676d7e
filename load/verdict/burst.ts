import { counted } from '../../common/words.ts';
import { type BurstCount, cleanBound, countBursts, judgeBursts } from '../../limits/judge/bursts.ts';
import type { Verdict as Judged } from '../../limits/judge/judge.ts';
import type { Trace } from '../runner/collect.ts';
import type { Plan } from '../seam/plan.ts';
import { type Judgement, judgeOverLimit } from './over-limit.ts';

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/** How much a series of clean bursts proves, since there may be a race that they did not hit. */
function worth(bursts: readonly BurstCount[], limit: number, { perMinute }: Judged): string {
  const clean = bursts.filter(({ admitted }) => admitted <= limit).length;
  if (perMinute.verdict === 'more') {
    return `In ${bursts.length - clean} of ${bursts.length} bursts too many calls were admitted.`;
  }
  const split =
    clean === bursts.length ? '' : ` (in ${bursts.length - clean} more a window may have ended during the burst)`;
  if (clean === 0) {
    return `No burst was clean${split}.`;
  }
  return `${counted(clean, 'clean burst')}${split}: at 95 % confidence a burst is over-admitted in at most ${percent(cleanBound(clean))} of cases.`;
}

/** burst: judges the minute's limit under concurrency, with the counts of each burst and what they prove. */
export const judgeBurst = (plan: Plan, trace: Trace): Judgement =>
  judgeOverLimit(plan, trace, {
    script: 'burst',
    judgeKey: judgeBursts,
    detail({ limit }, samples, judged) {
      const { perMinute, remaining, foreign, evidence } = judged;
      const bursts = countBursts(samples);
      return { perMinute, remaining, foreign, evidence, bursts, worth: worth(bursts, limit, judged) };
    },
  });
