// Is the daily limit enforced exactly? The command keeps a ledger, from which a later run of the day continues.
import { runDay } from '../../limits/procedure/day.ts';
import { judgeDayOf } from '../judge/day.ts';
import { job } from '../seam/job.ts';

const { options, setup, run } = job('per-day', async (tools, plan) => {
  const { limit, perDay, spent } = tools.subject;
  const { windowMs, pace } = plan;
  const calls = plan.calls === Infinity ? null : plan.calls;
  const terms = { limit, perDay, spent, windowMs, calls, pace };
  const outcome = await runDay(tools, terms);
  return judgeDayOf(plan, tools.subject, tools.samples(), outcome);
});

export { options, setup };
export default run;
