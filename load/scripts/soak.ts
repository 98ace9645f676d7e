// Does the deployment bear sustained traffic just under the limit, and is every answer still whole? Several VUs take
// turns, so that one slow answer does not hold up the flow.
import { minuteMs } from '../../contract/limits.ts';
import { breaches } from '../../limits/judge/envelope.ts';
import { carry, createCaller, optionsFor, readPlan, sleep, summaryOf, vuNumber } from '../seam/k6.ts';
import type { Subject } from '../seam/plan.ts';

const plan = readPlan();
const windowMs = minuteMs / plan.clockSpeed;

export const options = optionsFor(plan);

/** Characters of bodies that may wait to be looked at: that is done in the pauses, so that it does not hold up the flow. */
const MOST_WAITING = 2_000_000;

/** How often progress is told. */
const TELL_MS = 1000;

/** How many answers broke each clause, and where the first one did. */
type Broken = Record<string, { count: number; first: string }>;

function count(broken: Broken, clauses: readonly string[], where: string): void {
  for (const clause of clauses) {
    const known = broken[clause];
    broken[clause] = known === undefined ? { count: 1, first: where } : { ...known, count: known.count + 1 };
  }
}

export default async function soak(): Promise<void> {
  const subject = plan.subjects[Math.floor(vuNumber() / plan.shooters)] as Subject;
  await carry(plan, subject, async (_, recorder) => {
    const { sendNow } = createCaller(plan, subject, recorder);
    const reads = plan.reads[subject.api];
    const broken: Broken = {};
    let waiting: { url: string; status: number; contentType: string; body: string }[] = [];
    let characters = 0;
    const lookAtThem = (): void => {
      for (const { url, ...answer } of waiting) {
        count(broken, breaches(subject.api, answer), url);
      }
      waiting = [];
      characters = 0;
    };
    const interval = plan.pace === 0 ? 0 : windowMs / (subject.limit * plan.pace);
    const startAt = Date.now();
    let toldAt = startAt;
    const turns = interval === 0 ? Infinity : Math.floor(plan.soakMs / interval);
    for (
      let turn = vuNumber() % plan.shooters;
      turn < turns && Date.now() - startAt < plan.soakMs;
      turn += plan.shooters
    ) {
      const pause = (): number => startAt + turn * interval - Date.now();
      if (pause() > 0) {
        lookAtThem();
        await sleep(pause());
      }
      const url = reads[turn % reads.length] as string;
      const { answer, sample } = sendNow(url, url);
      const body = String(answer.body);
      waiting.push({ url, status: sample.status, contentType: answer.headers['Content-Type'] ?? '', body });
      characters += body.length;
      if (characters > MOST_WAITING) {
        lookAtThem();
      }
      if (Date.now() - toldAt > TELL_MS) {
        toldAt = Date.now();
        recorder.progress('soak', turn);
      }
    }
    lookAtThem();
    recorder.note('broken', broken);
  });
}

export const handleSummary = (data: Parameters<typeof summaryOf>[1]): Record<string, string> => summaryOf(plan, data);
