// Is the minute's limit enforced exactly? One VU for each key, since the procedure needs all of a key's trace to decide
// on its next step.
import { runMinute } from '../../limits/procedure/minute.ts';
import { judgeMinuteOf } from '../judge/minute.ts';
import { job } from '../seam/job.ts';
import { otherReads } from '../seam/reads.ts';

const { options, setup, run } = job('per-minute', async (tools, plan) => {
  const { subject, sendTo } = tools;
  const { api, limit, alone } = subject;
  let atOnce: number | null = null;
  const io = {
    ...tools,
    probes: otherReads(api).map((path) => (phase: string) => sendTo(path, { phase, route: `GET ${path}` })),
    crowded: (most: number) => {
      atOnce = Math.min(most, atOnce ?? most);
    },
  };
  const samples = await runMinute(io, { limit, windowMs: plan.windowMs, idle: alone, own: alone });
  return judgeMinuteOf(plan, subject, samples, atOnce);
});

export { options, setup };
export default run;
