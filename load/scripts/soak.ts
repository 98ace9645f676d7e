// Does the deployment answer sustained traffic just under the limit, and is every response complete? Calls do not wait
// for the responses to earlier ones, so that a slow one does not delay the next.
import { type Breach, breachOf, judgeSoak } from '../judge/soak.ts';
import { job } from '../seam/job.ts';
import { allReads } from '../seam/reads.ts';

const mostPending = 64;

export const { options, setup, run } = job('soak', async (tools, plan) => {
  const { subject, sendTo, sleep, now } = tools;
  const { windowMs, pace, soakMs } = plan;
  const reads = allReads(subject.api);
  const breaches: Breach[] = [];
  const pending = new Set<Promise<unknown>>();
  const interval = windowMs / (subject.limit * pace);
  const begin = now();
  let nextAt = begin;
  for (let turn = 0; now() - begin < soakMs; turn += 1) {
    await sleep(nextAt - now());
    // Delayed calls are not made up for in a burst, which could exceed the limit.
    nextAt = Math.max(nextAt, now() - 2 * interval) + interval;
    const path = reads[turn % reads.length] as string;
    // With its route, a read that always fails is not taken for a refused one.
    const call = sendTo(path, path, (answer) => {
      const clause = breachOf(subject.api, answer);
      if (clause !== null) {
        breaches.push({ clause, path });
      }
    }).finally(() => pending.delete(call));
    pending.add(call);
    if (pending.size >= mostPending) {
      await Promise.race(pending);
    }
  }
  await Promise.all(pending);
  return judgeSoak(plan, subject, tools.samples(), breaches);
});

export default run;
