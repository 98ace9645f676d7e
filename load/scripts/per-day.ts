// Is the daily limit enforced exactly? The command keeps a ledger, from which a later run of the day continues.
import { judgeDay } from '../../limits/judge/day.ts';
import { runDay } from '../../limits/procedure/day.ts';
import { assertJudgeable, headersPart, verdictOf } from '../judge/parts.ts';
import { job } from '../seam/job.ts';
import { dayAt } from '../seam/plan.ts';
import { limitClause } from '../seam/trace.ts';

export const { options, setup, run } = job('per-day', async (tools, { windowMs, pace, calls, clockSpeed }) => {
  const { subject } = tools;
  const { api, limit, perDay, spent, alone } = subject;
  const outcome = await runDay(tools, { limit, perDay, spent, windowMs, calls, pace });
  const samples = tools.samples();
  // That calls are refused for the day can be judged even if all of them were.
  if (outcome.refusedAfter === null) {
    assertJudgeable(samples);
  }
  const dayOf = (at = 0): string => dayAt(at, clockSpeed).day;
  const edgePassed = dayOf(samples[0]?.sentAt) !== dayOf(samples.at(-1)?.receivedAt);
  const judged = judgeDay(outcome, samples, { perDay, spent, fresh: alone, edgePassed });
  const { verdict, says, evidence, admitted } = judged;
  const part = {
    clause: limitClause(api, 'per-day'),
    verdict: verdictOf[verdict],
    says: `${says} Evidence: ${evidence}.`,
    expected: perDay === null ? 'no daily limit' : `${perDay} requests a day`,
    actual: `${admitted} admitted`,
    observed: { documented: perDay, ...judged },
  };
  return { parts: [headersPart(subject, samples), part], says: [says], detail: judged };
});

export default run;
