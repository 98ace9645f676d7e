// Do two keys draw on one budget? One is driven over the limit, and the other must be refused meanwhile. The workspace API
// documents one budget for all keys; the developer API leaves it open.
import { judge } from '../../limits/judge/judge.ts';
import { isAdmitted } from '../../limits/judge/trace.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { obstacle, open } from '../judge/parts.ts';
import { job } from '../seam/job.ts';
import { mainClause, type Subject } from '../seam/plan.ts';
import { type Judged, limitClause } from '../seam/trace.ts';

const { options, setup, run } = job('shared', async (tools, { windowMs }) => {
  const { subject, sendSecond, sleep } = tools;
  const { api, limit, label, alone, secondEnv } = subject;
  await sleep(alone ? 0 : 2 * windowMs);
  const second = await sendSecond('before');
  const samples = isAdmitted(second)
    ? await runMinute({ ...tools, probes: [sendSecond] }, { limit, windowMs, idle: true })
    : [second];
  const why = obstacle(samples);
  if (why !== null) {
    return open(subject, why, mainClause.shared[api]);
  }
  const { probes } = judge(samples, { limit, windowMs, key: label });
  const probe = probes.find(({ key }) => key === secondEnv);
  if (probe?.outcome === 'admitted') {
    return told(subject, false, 'A call with the second key was admitted while the first was refused: two budgets.');
  }
  return probe?.outcome === 'refused' && probe.isBetweenRefusals
    ? told(subject, true, 'A call with the second key was refused while the first was: one budget.')
    : open(subject, 'The second key was not tried while the first was refused.', mainClause.shared[api]);
});

function told({ api }: Subject, shared: boolean, says: string): Judged {
  const detail = { shared, says };
  const clause = limitClause(api, mainClause.shared[api]);
  const verdict = shared ? 'holds' : 'fails';
  return {
    parts: [{ clause, verdict, says, expected: 'one budget for both keys', observed: detail }],
    says: [says],
    detail,
  };
}

export { options, setup };
export default run;
