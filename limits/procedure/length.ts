import { namesNextWindow } from '../judge/reset.ts';
import { callsOf } from '../judge/trace.ts';
import { fill } from './fill.ts';
import { awaitReturn } from './returns.ts';
import { fire, graceShare, judged, keyOf, mostRounds, type Run, wait } from './run.ts';

/** The algorithms whose return comes a window's length after an admitted call, and so shows that length. */
const returnsShowLength: readonly string[] = [
  'fixed window from the first call',
  'sliding log',
  'sliding log counting refusals',
  'renewed by each call',
];

/** After this many windows, even a sliding counter that counts refused calls admits calls again. */
const weighedShare = 1.75;

/**
 * Finds out whether windows are shorter than a minute. The first one may have been near its end, whatever its length,
 * so the next is filled at its beginning and its end awaited, several times over: shorter windows admit too many calls
 * within a minute.
 */
export async function checkLength(run: Run): Promise<void> {
  const { limit, windowMs } = run.terms;
  const { perMinute, window, recovery, evidence } = judged(run);
  const isKnown = perMinute.verdict === 'fewer' || perMinute.verdict === 'more' || recovery.verdict !== 'holds';
  const isShown =
    returnsShowLength.includes(window.algorithm) || (window.algorithm === 'fixed window' && evidence.mayBeFirstCall);
  if (isKnown || isShown || namesNextWindow(callsOf(run.samples, keyOf(run)), windowMs)) {
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
 * Fills the window again just before a minute has passed since the first refusal, if calls keep returning a few at a
 * time and the verdict is open: the calls admitted in that whole minute show whether they are too many. Not done if a
 * call was refused after a quiet minute: recovery has failed then, and a burst would hide it.
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
