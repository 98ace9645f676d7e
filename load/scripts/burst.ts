// Is the limit enforced under concurrency? Several VUs, which may be on several machines (execution segments), make
// their shares of each burst at the same moments. All their traces together are judged.
import { minuteAt } from '../../contract/limits.ts';
import { runBursts } from '../../limits/procedure/burst.ts';
import { createCaller, optionsFor, readPlan, runShare, sleep, summaryOf, vuNumber } from '../seam/k6.ts';
import type { Subject } from '../seam/plan.ts';

const plan = readPlan();
const windowMs = minuteAt(plan.clockSpeed);

export const options = optionsFor(plan);

/**
 * The moment of the first burst if the plan has none. It is the same for all instances that start within the same ten
 * seconds.
 */
const agreed = (): number => Math.ceil((Date.now() + 5000) / 10_000) * 10_000;

export default async function burst(): Promise<void> {
  const subject = plan.subjects[Math.floor(vuNumber() / plan.shooters)] as Subject;
  await runShare(plan, subject, async (recorder) => {
    const { send } = createCaller(plan, subject, recorder);
    const startAt = (plan.startAt ?? agreed()) + (subject.alone ? 0 : 2 * windowMs);
    const io = { send, sleep, now: () => Date.now(), progress: recorder.progress };
    await runBursts(io, {
      limit: subject.limit,
      windowMs,
      bursts: plan.bursts,
      startAt,
      sender: vuNumber() % plan.shooters,
      senders: plan.shooters,
    });
  });
}

export const handleSummary = (data: Parameters<typeof summaryOf>[1]): Record<string, string> => summaryOf(plan, data);
