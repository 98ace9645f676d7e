import type { Trace } from '../runner/collect.ts';
import type { Plan, ScriptName } from '../seam/plan.ts';
import { judgeBurst } from './burst.ts';
import { type Judgement, judgePerMinute } from './over-limit.ts';
import { judgePerDay } from './per-day.ts';
import { judgeShared } from './shared.ts';
import { judgeSoak } from './soak.ts';

/** The function that judges the trace of each script. */
export const verdicts: Readonly<Record<ScriptName, (plan: Plan, trace: Trace) => Judgement>> = {
  'per-minute': judgePerMinute,
  burst: judgeBurst,
  'per-day': judgePerDay,
  shared: judgeShared,
  soak: judgeSoak,
};
