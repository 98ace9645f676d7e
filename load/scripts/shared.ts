// Do two keys draw on one budget? One is driven over the limit, and the other must be refused meanwhile. The workspace API
// documents one budget for all keys; the developer API leaves it open.
import { judge } from '../../limits/judge/judge.ts';
import { isAdmitted } from '../../limits/judge/trace.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { assertJudgeable } from '../judge/parts.ts';
import { job } from '../seam/job.ts';
import { mainClause, Undecided } from '../seam/trace.ts';

export const { options, setup, run } = job('shared', async (tools, { windowMs }) => {
  const { subject, sendSecond, sleep } = tools;
  const { api, limit, label, alone, secondEnv } = subject;
  await sleep(alone ? 0 : 2 * windowMs);
  const second = await sendSecond('before');
  const samples = isAdmitted(second)
    ? await runMinute({ ...tools, probes: [sendSecond] }, { limit, windowMs, idle: true })
    : [second];
  assertJudgeable(samples);
  const { probes } = judge(samples, { limit, windowMs, key: label });
  const probe = probes.find(({ key }) => key === secondEnv);
  if (probe?.outcome !== 'admitted' && !(probe?.outcome === 'refused' && probe.isBetweenRefusals)) {
    throw new Undecided('The second key was not tried while the first was refused.');
  }
  const shared = probe.outcome === 'refused';
  const says = shared
    ? 'A call with the second key was refused while the first was: one budget.'
    : 'A call with the second key was admitted while the first was refused: two budgets.';
  const part = { clause: mainClause('shared', api), says, expected: 'one budget for both keys' };
  const detail = { shared, says };
  return { parts: [{ ...part, verdict: shared ? 'holds' : 'fails', observed: detail }], says: [says], detail };
});

export default run;
