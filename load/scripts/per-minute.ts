// Is the minute's limit enforced exactly? One VU for each key, since the procedure needs all of a key's trace to decide
// on its next step.
import { crowdSays } from '../../limits/judge/bursts.ts';
import { judge } from '../../limits/judge/judge.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { assertJudgeable, overLimitParts, withoutForeign } from '../judge/parts.ts';
import { job } from '../seam/job.ts';
import { otherReads } from '../seam/reads.ts';
import { limitClause } from '../seam/trace.ts';

export const { options, setup, run } = job('per-minute', async (tools, { windowMs }) => {
  const { subject, sendTo } = tools;
  const { api, limit, label, alone } = subject;
  let atOnce: number | null = null;
  const io = {
    ...tools,
    probes: otherReads(api).map((path) => (phase: string) => sendTo(path, phase)),
    crowded: (most: number) => {
      atOnce = Math.min(most, atOnce ?? most);
    },
  };
  const terms = { limit, windowMs, own: alone };
  const { samples, says } = withoutForeign(subject, await runMinute(io, { ...terms, idle: alone }));
  assertJudgeable(samples.filter(({ key }) => key === label));
  const judged = judge(samples, { ...terms, key: label });
  const { window, headers, recovery, perMinute, exceeded: _, ...detail } = judged;
  // Whether concurrent calls are limited, too, belongs to what is said of the limiter.
  const seen = atOnce === null ? window : { ...window, says: `${window.says} ${crowdSays(atOnce)}` };
  return {
    parts: [
      ...overLimitParts(subject, samples, judged),
      { clause: limitClause(api, 'recovery'), verdict: recovery.verdict, says: recovery.says },
      { clause: limitClause(api, 'header-format'), verdict: 'observed', says: '', observed: headers },
      { clause: limitClause(api, 'window'), verdict: 'observed', says: '', observed: seen },
    ],
    says: [perMinute.says, seen.says, ...says],
    detail: { ...detail, perMinute, recovery, headers, window: seen },
  };
});

export default run;
