import { heldLonger } from '../judge/log.ts';
import { readingBefore } from '../judge/since-opener.ts';
import { clockSlack } from '../judge/timeline.ts';
import type { Sample } from '../judge/trace.ts';
import { mostAtOnce, queue } from './at-once.ts';
import { fill } from './fill.ts';
import { checkLength, fillWithinMinute } from './length.ts';
import type { Drive, MinuteIo, MinutePlan } from './minute-io.ts';
import { begin, settleClock } from './opener.ts';
import { probeOthers, tryAgain } from './others.ts';
import { awaitReturn, callAfterQuietMinutes, fillAtAnotherPhase, mayBeBucket, probeShare } from './returns.ts';
import { fire, graceShare, judged, keyOf, mostRounds, wait } from './run.ts';

/** How many tries of a full window fit into the longest time that it can last. */
const mostTries = Math.ceil((1 + heldLonger + graceShare) / probeShare) + 1;

/**
 * The share of a window between the opener and the burst. A fixed window that began with the opener ends by this much
 * earlier than a sliding log frees the burst.
 */
const openerShare = 1 / 12;

async function intrude({ io, samples }: Drive): Promise<void> {
  if (io.intrude !== undefined) {
    samples.push(...(await Promise.all([io.intrude(), io.intrude(), io.intrude()])));
  }
}

/** What the trace so far leaves open: nothing, the exact limit (which another filled window shows), or the verdict. */
function openIn(run: Drive): 'nothing' | 'number' | 'verdict' {
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

/** The most calls of one drive, without those that find out whether a window has ended. */
const mostCalls = (limit: number): number => 4 * limit + 100;

/** Waits for the end of a full window, makes a few calls then, and fills the next window as long as anything is open. */
async function followReturns(run: Drive): Promise<void> {
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

/** Drives a key. Returns how many concurrent calls are admitted if others were refused for that, else null. */
async function drive(run: Drive): Promise<number | null> {
  const { limit, windowMs } = run.terms;
  const opened = run.samples.at(-1)?.sentAt ?? run.io.now();
  await wait(run, opened + windowMs * openerShare - run.io.now());
  await intrude(run);
  if (await fill(run, 'burst', limit + 3)) {
    const atOnce = await mostAtOnce(run);
    if (atOnce !== null) {
      return atOnce;
    }
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
  return null;
}

/** The functions that send, with at most `most` calls under way at once. */
function atMost(most: number, { send, intrude, probes, ...io }: MinuteIo): MinuteIo {
  const inTurn = queue(most);
  return {
    ...io,
    send: inTurn(send),
    ...(intrude === undefined ? {} : { intrude: inTurn(intrude) }),
    ...(probes === undefined ? {} : { probes: probes.map(inTurn) }),
  };
}

/**
 * Drives a key, and as long as calls are refused because too many are under way at once, again with fewer at once.
 * Returns the last drive, whose refusals are those of the minute.
 */
async function driveUncrowded(first: Drive): Promise<Drive> {
  let run = first;
  let [atOnce, most] = [await drive(first), Infinity];
  while (atOnce !== null) {
    first.io.crowded?.(atOnce);
    // The first number is what the deployment admits. If even that is refused now and then, half of it is tried.
    most = Math.max(1, Math.min(atOnce, Math.floor(most / 2)));
    run = await beginAgain({ ...run, io: atMost(most, first.io) });
    atOnce = await drive(run);
  }
  return run;
}

/** Sends the opener of another drive after two quiet windows. */
async function beginAgain(run: Drive): Promise<Drive> {
  const { limit } = run.terms;
  const samples = readingBefore(run.samples, keyOf(run), limit);
  const again: Drive = { ...run, samples, cap: run.sent + mostCalls(limit) };
  await wait(again, 2 * run.terms.windowMs);
  await settleClock(again);
  await fire(again, 1, 'opener');
  return again;
}

/**
 * Drives one key over the minute's limit from idle, and returns the samples to judge in order of arrival. Throws only
 * what `io` throws. Makes about limit + 25 calls in one to one and a half windows, and fills a second window if the
 * verdict is open.
 */
export async function runMinute(io: MinuteIo, plan: MinutePlan): Promise<Sample[]> {
  const first: Drive = { io, terms: plan, samples: [], sent: 0, cap: mostCalls(plan.limit) };
  await begin(first);
  return (await driveUncrowded(first)).samples;
}
