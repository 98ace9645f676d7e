// Does the limit hold under concurrency? Several VUs fire their shares of each burst at the same moments, here or, under
// execution segments, on other machines; the verdict is made from all their traces together.
import { minuteMs } from '../../contract/limits.ts';
import { runBursts } from '../../limits/procedure/burst.ts';
import { createCaller, optionsFor, readPlan, runShare, sleep, summaryOf, vuNumber } from '../seam/k6.ts';
import type { Subject } from '../seam/plan.ts';

const plan = readPlan();
const windowMs = minuteMs / plan.clockSpeed;

export const options = optionsFor(plan);

/** Without a moment given, all instances that start within the same ten seconds mean the same one. */
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
