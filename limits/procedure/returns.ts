import { isAdmitted } from '../judge/trace.ts';
import { fill } from './fill.ts';
import { fire, graceShare, judged, type Run, wait } from './run.ts';

/**
 * The share of a window between two tries of a full window. A window is no multiple of it, so that tries come at
 * different phases.
 */
export const probeShare = 2.137 / 60;

/** Calls now and then until a call is admitted again, or until the deadline. Returns whether one was. */
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

/** Makes one call after a minute without any. Returns whether it was admitted. */
async function callAfterQuiet(run: Run): Promise<boolean> {
  await wait(run, run.terms.windowMs * (1 + graceShare));
  const [sample] = await fire(run, 1, 'quiet');
  return sample !== undefined && isAdmitted(sample);
}

/**
 * Makes one call after a minute without any, if no call returned while the key was tried: refused calls may have
 * delayed the return. If it is admitted, a block longer than a minute may just have ended, so the window is filled and
 * tried again, twice.
 */
export async function callAfterQuietMinutes(run: Run): Promise<void> {
  let isBack = await callAfterQuiet(run);
  for (let fills = 0; fills < 2 && isBack && (await fill(run, 'second burst', run.terms.limit + 2)); fills += 1) {
    isBack = await callAfterQuiet(run);
  }
}

/**
 * Whether a slow burst left it open if the limiter is a bucket, or a sliding counter whose window ended during the
 * burst.
 */
export function mayBeBucket(run: Run): boolean {
  const { perMinute, window } = judged(run);
  return perMinute.verdict === 'undecided' && window.algorithm === 'token bucket';
}

/**
 * Fills the window again at another phase: a counter's window does not end during that burst, while a bucket frees
 * concurrent calls.
 */
export async function fillAtAnotherPhase(run: Run): Promise<void> {
  const { limit, windowMs } = run.terms;
  await wait(run, 1.4 * windowMs);
  run.cap += 2 * limit;
  if (await fill(run, 'second burst', limit + 3)) {
    await awaitReturn(run, run.io.now() + windowMs * (1 + graceShare));
  }
}
