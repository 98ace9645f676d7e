// Do two keys draw on one budget? One VU for each pair of keys.
import { minuteAt } from '../../contract/limits.ts';
import { runShared } from '../../limits/procedure/shared.ts';
import { createCaller, optionsFor, readPlan, runShare, sleep, summaryOf, vuNumber } from '../seam/k6.ts';
import type { Subject } from '../seam/plan.ts';

const plan = readPlan();

export const options = optionsFor(plan);

export default async function shared(): Promise<void> {
  const [first, second] = plan.subjects.slice(2 * vuNumber(), 2 * vuNumber() + 2) as [Subject, Subject];
  await runShare(plan, first, async (recorder) => {
    const io = {
      sleep,
      first: createCaller(plan, first, recorder).send,
      second: createCaller(plan, second, recorder).send,
    };
    await runShared(io, {
      limit: first.limit,
      windowMs: minuteAt(plan.clockSpeed),
      idle: first.alone && second.alone,
    });
  });
}

export const handleSummary = (data: Parameters<typeof summaryOf>[1]): Record<string, string> => summaryOf(plan, data);
