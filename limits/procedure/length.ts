import { namesNextWindow } from '../judge/describe.ts';
import { callsOf } from '../judge/trace.ts';
import { fill } from './fill.ts';
import { awaitReturn } from './returns.ts';
import { fire, graceShare, judged, keyOf, mostRounds, type Run, wait } from './run.ts';

/** Algorithms whose return shows that a window lasts a minute: it comes so long after a call that was let in. */
const timed: readonly string[] = [
  'fixed window from the first call',
  'sliding log',
  'sliding log counting refusals',
  'renewed by each call',
];

/** A sliding counter that counts refused calls too lets calls in again by then. */
const weighedShare = 1.75;

/**
 * A window may have been near its end, however long it is: the next one is filled at its beginning, and its end awaited. A shorter
 * one ends sooner, again and again.
 */
export async function checkLength(run: Run): Promise<void> {
  const { limit, windowMs } = run.terms;
  const { perMinute, window, recovery, evidence } = judged(run);
  const isKnown = perMinute.verdict === 'fewer' || perMinute.verdict === 'more' || recovery.verdict !== 'holds';
  const isTimed = timed.includes(window.algorithm) || (window.algorithm === 'fixed window' && evidence.mayBeFirstCall);
  if (isKnown || isTimed || namesNextWindow(callsOf(run.samples, keyOf(run)), windowMs)) {
    return;
  }
  const began = run.io.now();
  for (let round = 0; round < mostRounds && run.io.now() < began + 0.9 * windowMs; round += 1) {
    const isFull = await fill(run, 'second burst', Math.ceil(limit / 6));
    if (!isFull || !(await awaitReturn(run, began + windowMs * weighedShare))) {
      return;
    }
    await fire(run, 2, 'follow-up');
    if (judged(run).perMinute.verdict === 'more') {
      return;
    }
  }
}

/**
 * Where calls keep coming back a few at a time, and the verdict is open: what a whole minute lets in after its refusal shows whether
 * that is too many. Where nothing came back after a quiet minute, this is known, and a burst right after it would hide it.
 */
export async function fillWithinMinute(run: Run): Promise<void> {
  const { limit, windowMs } = run.terms;
  const refused = callsOf(run.samples, keyOf(run)).find(({ outcome }) => outcome === 'refused');
  const { perMinute, recovery } = judged(run);
  if (refused !== undefined && perMinute.verdict === 'undecided' && recovery.verdict !== 'fails') {
    await wait(run, refused.from + windowMs * (1 - graceShare) - run.io.now());
    run.cap += limit;
    await fill(run, 'second burst', limit + 2);
  }
}
