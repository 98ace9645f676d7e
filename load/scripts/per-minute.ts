// Is the minute's limit enforced exactly? One VU for each key, since the procedure needs all of a key's trace to decide
// on its next step.
import { minuteAt } from '../../contract/limits.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { createCaller, optionsFor, readPlan, runShare, sleep, summaryOf, vuNumber } from '../seam/k6.ts';
import type { Subject } from '../seam/plan.ts';

const plan = readPlan();

export const options = optionsFor(plan);

export default async function perMinute(): Promise<void> {
  const subject = plan.subjects[vuNumber()] as Subject;
  await runShare(plan, subject, async (recorder) => {
    const { send, intrude, sendOther } = createCaller(plan, subject, recorder);
    const probes = plan.probes[subject.api].map((read) => (phase: string) => sendOther(read, phase));
    const io = { send, intrude, probes, sleep, now: () => Date.now(), progress: recorder.progress };
    const windowMs = minuteAt(plan.clockSpeed);
    await runMinute(io, { limit: subject.limit, windowMs, idle: subject.alone, own: subject.alone });
  });
}

export const handleSummary = (data: Parameters<typeof summaryOf>[1]): Record<string, string> => summaryOf(plan, data);
