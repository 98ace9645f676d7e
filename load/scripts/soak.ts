// Does the deployment answer sustained traffic just under the limit, and is every response complete? Several VUs take
// turns, so that a slow response does not delay the next calls.
import { minuteAt } from '../../contract/limits.ts';
import { breachesOf } from '../seam/envelope.ts';
import { createCaller, optionsFor, readPlan, runShare, sleep, summaryOf, vuNumber } from '../seam/k6.ts';
import type { Subject } from '../seam/plan.ts';

const plan = readPlan();
const windowMs = minuteAt(plan.clockSpeed);

export const options = optionsFor(plan);

/**
 * Bodies are judged in the pauses between calls, so that no call is delayed. At most this many characters of
 * them wait for that.
 */
const mostWaiting = 2_000_000;

/** How often progress is shown. */
const progressEveryMs = 1000;

interface Waiting {
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Judges bodies when there is time. `broken` has, for each clause, how many responses broke it, and the URL of the
 * first.
 */
function createJudge(api: Subject['api']): {
  readonly add: (response: Waiting) => void;
  readonly judge: () => void;
  readonly broken: Record<string, { count: number; first: string }>;
} {
  const broken: Record<string, { count: number; first: string }> = {};
  let waiting: Waiting[] = [];
  let characters = 0;
  const judge = (): void => {
    for (const response of waiting) {
      for (const clause of breachesOf(api, response)) {
        const known = broken[clause] ?? { count: 0, first: response.url };
        broken[clause] = { ...known, count: known.count + 1 };
      }
    }
    waiting = [];
    characters = 0;
  };
  return {
    broken,
    judge,
    add(response) {
      waiting.push(response);
      characters += response.body.length;
      if (characters > mostWaiting) {
        judge();
      }
    },
  };
}

export default async function soak(): Promise<void> {
  const subject = plan.subjects[Math.floor(vuNumber() / plan.shooters)] as Subject;
  await runShare(plan, subject, async (recorder) => {
    const { sendNow } = createCaller(plan, subject, recorder);
    const reads = plan.reads[subject.api];
    const { add, judge, broken } = createJudge(subject.api);
    const interval = plan.pace === 0 ? 0 : windowMs / (subject.limit * plan.pace);
    const startAt = Date.now();
    let shownAt = startAt;
    const turns = interval === 0 ? Infinity : Math.ceil(plan.soakMs / interval);
    for (
      let turn = vuNumber() % plan.shooters;
      turn < turns && Date.now() - startAt < plan.soakMs;
      turn += plan.shooters
    ) {
      if (startAt + turn * interval > Date.now()) {
        judge();
        await sleep(startAt + turn * interval - Date.now());
      }
      const url = reads[turn % reads.length] as string;
      const { response, sample } = sendNow(url, url);
      const contentType = response.headers['Content-Type'] ?? '';
      add({ url, status: sample.status, contentType, body: String(response.body) });
      if (Date.now() - shownAt > progressEveryMs) {
        shownAt = Date.now();
        recorder.progress('soak', turn);
      }
    }
    judge();
    recorder.note('broken', broken);
  });
}

export const handleSummary = (data: Parameters<typeof summaryOf>[1]): Record<string, string> => summaryOf(plan, data);
