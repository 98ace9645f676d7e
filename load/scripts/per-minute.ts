// Is the minute's limit enforced to the call? One VU for each key: all of a key's trace is in one place, so the
// procedure can decide on its next step by what came so far.
import { minuteMs } from '../../contract/limits.ts';
import { judge } from '../../limits/judge/judge.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { carry, createCaller, optionsFor, readPlan, sleep, summaryOf, vuNumber } from '../seam/k6.ts';
import type { Subject } from '../seam/plan.ts';

const plan = readPlan();
const windowMs = minuteMs / plan.clockSpeed;

export const options = optionsFor(plan);

export default async function perMinute(): Promise<void> {
  await carry(plan, plan.subjects[vuNumber()] as Subject, async (subject, recorder) => {
    const { send, intrude } = createCaller(plan, subject, recorder);
    const io = { send, intrude, sleep, now: () => Date.now(), progress: recorder.progress };
    const samples = await runMinute(io, { limit: subject.limit, windowMs, idle: subject.idle });
    recorder.note('verdict', judge(samples, { limit: subject.limit, windowMs, key: subject.label }).perMinute);
  });
}

export const handleSummary = (data: Parameters<typeof summaryOf>[1]): Record<string, string> => summaryOf(plan, data);
