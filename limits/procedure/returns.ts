// What a drive does after the key was refused: it awaits the return, and fills further windows as long as something is open.

import { heldLonger } from '../judge/log.ts';
import { namesNextWindow } from '../judge/reset.ts';
import { clockSlack } from '../judge/timeline.ts';
import { callsOf, isAdmitted } from '../judge/trace.ts';
import { fill, fire, graceShare, judged, keyOf, mostRounds, type Run, wait } from './run.ts';

/**
 * The share of a window between two tries of a full window. A window is no multiple of it, so that tries come at
 * different phases.
 */
const probeShare = 2.137 / 60;

/** How many tries of a full window fit into the longest time that it can last. */
const mostTries = Math.ceil((1 + heldLonger + graceShare) / probeShare) + 1;

/** Calls now and then until a call is admitted again, or until the deadline. Returns whether one was. */
async function awaitReturn(run: Run, deadline: number): Promise<boolean> {
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

/** What the trace so far leaves open: nothing, the exact limit (which another filled window shows), or the verdict. */
function openIn(run: Run): 'nothing' | 'number' | 'verdict' {
  const { perMinute, window, evidence, foreign } = judged(run);
  const { limit, own = false } = run.terms;
  const isSpaced = window.algorithm === 'token bucket' || window.algorithm === 'spacing or small bucket';
  if (perMinute.verdict === 'holds' || isSpaced) {
    return 'nothing';
  }
  if (perMinute.verdict === 'fewer') {
    const isFarOff = evidence.fewestAtRefusal < limit / 2;
    return isFarOff || (own && perMinute.enforced !== null) ? 'nothing' : 'number';
  }
  if (!foreign && (perMinute.verdict === 'undecided' || !evidence.isSettled)) {
    return 'verdict';
  }
  return perMinute.enforced === null ? 'number' : 'nothing';
}

/** Waits for the end of a full window, makes a few calls then, and fills the next window as long as anything is open. */
export async function followReturns(run: Run): Promise<void> {
  const { limit, windowMs } = run.terms;
  const followUp = Math.ceil(2 * probeShare * limit) + 3;
  // If far more than the limit is admitted, the fill uses up all calls. The few that show the return are made
  // nevertheless.
  run.cap = Math.max(run.cap, run.sent + mostTries + followUp + 1);
  for (let round = 0; round < mostRounds; round += 1) {
    if (!(await awaitReturn(run, run.io.now() + windowMs * (1 + heldLonger + graceShare)))) {
      return callAfterQuietMinutes(run);
    }
    // The wait is longer than clocks may differ, so that these calls are certainly in the new window.
    await wait(run, 5 * clockSlack(windowMs));
    await fire(run, followUp, 'follow-up');
    if (openIn(run) === 'nothing') {
      return;
    }
    await fill(run, 'second burst', Math.max(1, limit + 2 - followUp));
    if (openIn(run) !== 'verdict') {
      return;
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
async function callAfterQuietMinutes(run: Run): Promise<void> {
  let isBack = await callAfterQuiet(run);
  for (let fills = 0; fills < 2 && isBack && (await fill(run, 'second burst', run.terms.limit + 2)); fills += 1) {
    isBack = await callAfterQuiet(run);
  }
}

/** The algorithms whose return comes a window's length after an admitted call, and so shows that length. */
const returnsShowLength: readonly string[] = ['sliding log', 'sliding log counting refusals', 'renewed by each call'];

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

/** For how many windows steady calls are spread: no limiter counts a call for longer. */
const steadyWindows = 2.1;

/**
 * If refused calls seem to delay the return, finds out whether admitted ones begin the window anew: calls steadily, at
 * half the pace that the limit allows, until a call is refused. If none is, these calls show no more, and are left out.
 */
export async function callSteadily(run: Run): Promise<void> {
  const { limit, windowMs } = run.terms;
  if (!['renewed by each call', 'sliding log counting refusals'].includes(judged(run).window.algorithm)) {
    return;
  }
  const before = run.samples.length;
  run.cap += limit + 1;
  let isBack = await callAfterQuiet(run);
  for (let call = 0; call < limit && isBack; call += 1) {
    await wait(run, (steadyWindows * windowMs) / limit);
    isBack = (await fire(run, 1, 'steady')).every(isAdmitted);
  }
  if (isBack) {
    run.samples.splice(before);
  }
}
