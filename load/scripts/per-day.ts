// Is the daily limit enforced exactly? One VU for each key; the runner keeps a ledger, from which a later run
// continues.
import { dayMs, minuteAt } from '../../contract/limits.ts';
import { runDay } from '../../limits/procedure/day.ts';
import { createCaller, optionsFor, readPlan, runShare, sleep, summaryOf, vuNumber } from '../seam/k6.ts';
import type { Subject } from '../seam/plan.ts';

const plan = readPlan();

export const options = optionsFor(plan);

export default async function perDay(): Promise<void> {
  const subject = plan.subjects[vuNumber()] as Subject;
  await runShare(plan, subject, async (recorder) => {
    const { send } = createCaller(plan, subject, recorder);
    const io = { send, sleep, now: () => Date.now(), progress: recorder.progress };
    const outcome = await runDay(io, {
      limit: subject.limit,
      perDay: subject.perDay,
      windowMs: minuteAt(plan.clockSpeed),
      dayMs: dayMs / plan.clockSpeed,
      spent: plan.spent[subject.label] ?? 0,
      calls: plan.calls,
      pace: plan.pace,
      restore: plan.restore,
    });
    recorder.note('day', outcome);
  });
}

export const handleSummary = (data: Parameters<typeof summaryOf>[1]): Record<string, string> => summaryOf(plan, data);
