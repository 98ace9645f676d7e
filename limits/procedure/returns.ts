import { isAdmitted } from '../judge/trace.ts';
import { fill } from './fill.ts';
import { fire, graceShare, judged, type Run, wait } from './run.ts';

/** From one look at a full window to the next: a share of the window that is no divisor of it. */
export const probeShare = 2.137 / 60;

/** Calls now and then until one is admitted again. True when one was. */
export async function awaitReturn(run: Run, deadline: number): Promise<boolean> {
  const { limit, windowMs } = run.terms;
  await wait(run, Math.max(windowMs / 300, (1.5 * windowMs) / limit));
  for (;;) {
    const [sample] = await fire(run, 1, 'probe');
    if (sample === undefined) {
      return false;
    }
    if (isAdmitted(sample)) {
      return true;
    }
    await wait(run, sample.sentAt + probeShare * windowMs - run.io.now());
    if (run.io.now() > deadline) {
      return false;
    }
  }
}

/** One call after a minute without any. True where it was admitted. */
async function callAfterQuiet(run: Run): Promise<boolean> {
  await wait(run, run.terms.windowMs * (1 + graceShare));
  const [sample] = await fire(run, 1, 'quiet');
  return sample !== undefined && isAdmitted(sample);
}

/**
 * Where nothing returns, refused calls may be what puts it off: then none is made for a minute; and twice more, with a full window
 * before, since a longer block may have ended by then.
 */
export async function callAfterQuietMinutes(run: Run): Promise<void> {
  let isBack = await callAfterQuiet(run);
  for (let fills = 0; fills < 2 && isBack && (await fill(run, 'second burst', run.terms.limit + 2)); fills += 1) {
    isBack = await callAfterQuiet(run);
  }
}

/** Whether a bucket explains the trace, and a counter does whose window ended in the burst: a slow burst leaves it open. */
export function mayBeBucket(run: Run): boolean {
  const { perMinute, window } = judged(run);
  return perMinute.verdict === 'undecided' && window.algorithm === 'token bucket';
}

/** A full window later and some: then the counter's window ends at another moment than in the burst, and the bucket gives back at once. */
export async function fillAtAnotherPhase(run: Run): Promise<void> {
  const { limit, windowMs } = run.terms;
  await wait(run, 1.4 * windowMs);
  run.cap += 2 * limit;
  if (await fill(run, 'second burst', limit + 3)) {
    await awaitReturn(run, run.io.now() + windowMs * (1 + graceShare));
  }
}
