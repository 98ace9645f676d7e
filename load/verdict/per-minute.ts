import type { Haul } from '../runner/collect.ts';
import type { Plan } from '../seam/plan.ts';
import { type Judgement, judgeOverLimit } from './over-limit.ts';

/** per-minute: the whole verdict on each key's minute. */
export const judgePerMinute = (plan: Plan, haul: Haul): Judgement =>
  judgeOverLimit(plan, haul, (_, __, { perMinute, window, remaining, headers, recovery, foreign, evidence }) => ({
    perMinute,
    window,
    remaining,
    headers,
    recovery,
    foreign,
    evidence,
  }));
