// Is the minute's limit enforced exactly? One VU for each key, since the procedure needs all of a key's trace to decide
// on its next step.
import { runMinute } from '../../limits/procedure/minute.ts';
import { judgeMinuteOf } from '../judge/minute.ts';
import { job } from '../seam/job.ts';
import { otherReads } from '../seam/reads.ts';

const { options, setup, run } = job('per-minute', async (tools, plan) => {
  const { subject, samples, sendTo } = tools;
  const { api, limit, alone } = subject;
  const probes = otherReads(api).map((path) => (phase: string) => sendTo(path, { phase, route: `GET ${path}` }));
  await runMinute({ ...tools, probes }, { limit, windowMs: plan.windowMs, idle: alone, own: alone });
  return judgeMinuteOf(plan, subject, samples());
});

export { options, setup };
export default run;
