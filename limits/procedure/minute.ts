import { firstNumber, showsMinute } from '../judge/headers.ts';
import { heldLonger } from '../judge/hypotheses.ts';
import { isSpaced } from '../judge/spaced.ts';
import { clockSlack } from '../judge/timeline.ts';
import type { Sample, Terms } from '../judge/trace.ts';
import { fill } from './fill.ts';
import { checkLength, fillWithinMinute } from './length.ts';
import { type Probe, probeOthers, tryAgain } from './others.ts';
import { awaitReturn, callAfterQuietMinutes, fillAtAnotherPhase, mayBeBucket, probeShare } from './returns.ts';
import { fire, graceShare, type Io, judged, mostRounds, type Run, refusals, wait } from './run.ts';

/** What the procedure needs of the world. Nothing that sends throws. */
export interface MinuteIo extends Io {
  /** One call with an unknown key (or none), under another key label: shows a limiter that counts by address. */
  readonly intrude?: () => Promise<Sample>;
  /**
   * Calls of other kinds, each with its `route` in the sample, that were accepted before: another endpoint, one with
   * parameters, a write, one in query mode, one with another key of the same budget. Made once each while the key is refused.
   */
  readonly probes?: readonly Probe[];
}

interface MinutePlan extends Terms {
  /** Nobody used the key in the last two windows. Otherwise `before` is needed, or idleness is waited for. */
  readonly idle?: boolean;
  /** All calls with the key in the last two windows, with phase `before`: the drive goes on from what they used up. */
  readonly before?: readonly Sample[];
}

/** A drive of one key: its run, with the calls of other kinds and the plan. */
interface Drive extends Run {
  readonly io: MinuteIo;
  readonly terms: MinutePlan;
}

/** How many looks at a full window fit into the time in which it has to end. */
const looks = Math.ceil((1 + heldLonger + graceShare) / probeShare) + 1;

/** From the first call to the burst: a fixed window that the first call begins ends this much earlier than a log's. */
const openerShare = 1 / 12;

/**
 * At real speed, waits for a moment from which neither the opener nor the burst lies near a full minute of the client's
 * clock, so that windows that start on the minute and windows that start with the first call end at different times.
 */
async function settleClock(run: Drive): Promise<void> {
  const second = (run.io.now() / 1000) % 60;
  if (run.terms.windowMs === 60_000 && (second < 4 || second > 49)) {
    await wait(run, 1000 * (second < 4 ? 4 - second : 64 - second));
  }
}

/** How many windows a lockout of the address is waited for. */
const mostLockouts = 3;

/** Whether the opener is refused as a call with an unknown key is: the address is locked out, which says nothing of the key. */
async function isLockedOut({ io }: Drive, opener: Sample | undefined): Promise<boolean> {
  return opener?.status === 429 && (await io.intrude?.())?.status === 429;
}

/** Sends the opener, and once more after a window without a call where the address is locked out. */
async function open(run: Drive): Promise<Sample | undefined> {
  await settleClock(run);
  let [opener] = await fire(run, 1, 'opener');
  for (let round = 0; round < mostLockouts && (await isLockedOut(run, opener)); round += 1) {
    run.samples.pop();
    await wait(run, run.terms.windowMs);
    await settleClock(run);
    [opener] = await fire(run, 1, 'opener');
  }
  return opener;
}

/**
 * Sends the opener once the key is idle: at once where the plan says so, knows the calls before, or where Remaining shows it,
 * otherwise after two quiet windows.
 */
async function begin(run: Drive): Promise<void> {
  const { limit, windowMs, idle = false, before } = run.terms;
  const first = await open(run);
  if (idle || before !== undefined || first === undefined) {
    return;
  }
  const remaining = firstNumber(first.remaining);
  if (showsMinute(first, limit) && remaining !== null && remaining >= limit - 1) {
    return;
  }
  await wait(run, 2 * windowMs);
  await settleClock(run);
  run.samples.length = 0;
  await fire(run, 1, 'opener');
}

async function intrude({ io, samples }: Drive): Promise<void> {
  if (io.intrude !== undefined) {
    samples.push(...(await Promise.all([io.intrude(), io.intrude(), io.intrude()])));
  }
}

/** What the trace so far leaves open: nothing, the exact number (a filled window tells it), or the verdict itself. */
function openIn(run: Drive): 'nothing' | 'number' | 'verdict' {
  const { perMinute, window, evidence, foreign } = judged(run);
  const { limit, own = false } = run.terms;
  const isSpaced = window.algorithm === 'token bucket' || window.algorithm === 'spacing or small bucket';
  if (perMinute.verdict === 'holds' || isSpaced) {
    return 'nothing';
  }
  if (perMinute.verdict === 'fewer') {
    const isFarOff = (evidence.fewestAtRefusal ?? limit) < limit / 2;
    return isFarOff || (own && perMinute.enforced !== null) ? 'nothing' : 'number';
  }
  if (!foreign && (perMinute.verdict === 'undecided' || !evidence.isSettled)) {
    return 'verdict';
  }
  return perMinute.enforced === null ? 'number' : 'nothing';
}

/** The most calls of one drive, but for looks at whether a window has ended. */
const mostCalls = (limit: number): number => 4 * limit + 100;

/** From a full window on: waits for the return, tries it, and fills another window where that is needed. */
async function followReturns(run: Drive): Promise<void> {
  const { limit, windowMs } = run.terms;
  const followUp = Math.ceil(2 * probeShare * limit) + 3;
  // A number far above the limit takes all calls of the drive: those that show the return are few, and made all the same.
  run.cap = Math.max(run.cap, run.sent + looks + followUp + 1);
  for (let round = 0; round < mostRounds; round += 1) {
    if (!(await awaitReturn(run, run.io.now() + windowMs * (1 + heldLonger + graceShare)))) {
      return callAfterQuietMinutes(run);
    }
    // Clear of the edge by more than the clocks may differ, so that these calls are in the new window beyond doubt.
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

async function drive(run: Drive): Promise<void> {
  const { limit, windowMs } = run.terms;
  const opened = run.samples.at(-1)?.sentAt ?? run.io.now();
  await wait(run, opened + windowMs * openerShare - run.io.now());
  await intrude(run);
  const held = run.samples.filter(
    (sample) => sample.phase === 'before' && sample.sentAt > run.io.now() - windowMs,
  ).length;
  if (await fill(run, 'burst', Math.max(5, limit + 3 - held))) {
    const probes = run.io.probes ?? [];
    let probed = await probeOthers(run, probes);
    await followReturns(run);
    if (mayBeBucket(run)) {
      await fillAtAnotherPhase(run);
    } else {
      await checkLength(run);
      await fillWithinMinute(run);
    }
    if (!probed.proves && judged(run).perMinute.verdict === 'holds') {
      run.cap += limit;
      probed = (await fill(run, 'second burst', limit + 2)) ? await probeOthers(run, probes) : probed;
    }
    await tryAgain(run, probed.broken);
  }
}

/** Whether what was called before leaves it open: nothing is proven, or no limiter that is known explains what was let in. */
function isOpen(run: Run): boolean {
  const { perMinute, probes, foreign, recovery } = judged(run);
  if (recovery.verdict === 'fails') {
    return false;
  }
  const isSure =
    probes.some(({ outcome }) => outcome === 'admitted') || refusals(run) === 0 || isSpaced(run.samples, run.terms);
  // On a key of the run's own a refusal that comes too early is proof, whatever follows.
  const isStrange = perMinute.verdict === 'more' || (perMinute.verdict === 'fewer' && run.terms.own !== true);
  return !foreign && (perMinute.verdict === 'undecided' || (isStrange && perMinute.enforced === null && !isSure));
}

/**
 * Drives one key over the minute's limit. Gives the samples to judge in order of arrival, those of `before` first; throws only what
 * `io` throws. Sends about limit + 25 calls in one to one and a half windows; where the trace stays open it fills a second
 * window (about another limit). Where the calls before leave the trace open (a sliding counter weighs them, and may refuse early),
 * it waits two windows and drives again, and gives that drive's samples alone.
 */
export async function runMinute(io: MinuteIo, plan: MinutePlan): Promise<Sample[]> {
  const cap = mostCalls(plan.limit);
  const run: Drive = { io, terms: plan, samples: [...(plan.before ?? [])], sent: 0, cap };
  await begin(run);
  await drive(run);
  if (plan.before === undefined || !isOpen(run)) {
    return run.samples;
  }
  // Refusals that came too early may be a lockout for the calls with an unknown key: this time none is made.
  const { intrude: _, ...alone } = io;
  const isEarly = judged(run).perMinute.verdict === 'fewer';
  const { sent } = run;
  const again: Drive = { io: isEarly ? alone : io, terms: plan, samples: [], sent, cap: sent + cap };
  await wait(again, 2 * plan.windowMs);
  await settleClock(again);
  await fire(again, 1, 'opener');
  await drive(again);
  return again.samples;
}
