import { createSemaphore } from '../../common/semaphore.ts';
import { fewestBeside } from '../judge/bursts.ts';
import { minuteRemaining, showsMinute } from '../judge/headers.ts';
import { possiblyWithin, timelineOf } from '../judge/timeline.ts';
import { callsOf, type Sample } from '../judge/trace.ts';
import { probeOthers, tryAgain } from './others.ts';
import { callSteadily, checkLength, fillWithinMinute, followReturns } from './returns.ts';
import { fill, fire, judged, keyOf, type MinuteIo, type MinutePlan, type Run, wait } from './run.ts';

/**
 * The share of a window between the opener and the burst. A fixed window that began with the opener ends by this much
 * earlier than a sliding log frees the burst.
 */
const openerShare = 1 / 12;

async function intrude({ io, samples }: Run): Promise<void> {
  if (io.intrude !== undefined) {
    samples.push(...(await Promise.all([io.intrude(), io.intrude(), io.intrude()])));
  }
}

/** The most calls of one drive, without those that find out whether a window has ended. */
const mostCalls = (limit: number): number => 4 * limit + 100;

/** Drives a key. Returns how many concurrent calls are admitted if others were refused for that, else null. */
async function drive(run: Run): Promise<number | null> {
  const { limit, windowMs } = run.terms;
  const opened = run.samples.at(-1)?.sentAt ?? run.io.now();
  await wait(run, opened + windowMs * openerShare - run.io.now());
  await intrude(run);
  if (!(await fill(run, 'burst', limit + 3))) {
    return null;
  }
  const atOnce = await mostAtOnce(run);
  if (atOnce !== null) {
    return atOnce;
  }
  const probes = run.io.probes ?? [];
  let probed = await probeOthers(run, probes);
  await followReturns(run);
  await checkLength(run);
  await fillWithinMinute(run);
  if (!probed.proves && judged(run).perMinute.verdict === 'holds') {
    run.cap += limit;
    probed = (await fill(run, 'second burst', limit + 2)) ? await probeOthers(run, probes) : probed;
  }
  await tryAgain(run, probed.broken);
  await callSteadily(run);
  return null;
}

/** The functions that send, with at most `most` calls under way at once. */
function atMost(most: number, { send, intrude, probes, ...io }: MinuteIo): MinuteIo {
  const inTurn = createSemaphore(most);
  return {
    ...io,
    send: (phase) => inTurn(() => send(phase)),
    ...(intrude === undefined ? {} : { intrude: () => inTurn(intrude) }),
    ...(probes === undefined ? {} : { probes: probes.map((probe) => (phase: string) => inTurn(() => probe(phase))) }),
  };
}

/**
 * Drives one key over the minute's limit from idle, and returns the samples to judge in order of arrival. Throws only
 * what `io` throws. Makes about limit + 25 calls in one to one and a half windows, and fills a second window if the
 * verdict is open. As long as calls are refused because too many are under way at once, it drives the key again with fewer
 * at once, and returns the last drive, whose refusals are those of the minute.
 */
export async function runMinute(io: MinuteIo, plan: MinutePlan): Promise<Sample[]> {
  let run: Run = { io, terms: plan, samples: [], sent: 0, cap: mostCalls(plan.limit) };
  await begin(run);
  let atOnce = await drive(run);
  let most = Infinity;
  while (atOnce !== null) {
    io.crowded?.(atOnce);
    // The first number is what the deployment admits. If even that is refused now and then, half of it is tried.
    most = Math.max(1, Math.min(atOnce, Math.floor(most / 2)));
    run = { ...run, io: atMost(most, io), cap: run.sent + mostCalls(plan.limit) };
    await openAgain(run, keyOf(run));
    atOnce = await drive(run);
  }
  return run.samples;
}

/** This many calls, one after the other, are admitted soon after refusals that were about concurrent calls. */
const callsAlone = 3;

/**
 * Whether calls were refused too early because too many were under way at once: each refused call was beside others,
 * and a few calls one after the other are admitted just afterwards, as far as the limit allows. Returns how many at
 * once are admitted; null if there is another reason.
 */
async function mostAtOnce(run: Run): Promise<number | null> {
  const { limit, windowMs } = run.terms;
  const calls = callsOf(run.samples, keyOf(run)).filter(({ sample }) => sample.phase !== 'before');
  const refused = calls.filter(({ outcome }) => outcome === 'refused');
  const beside = fewestBeside(
    refused,
    calls.filter(({ outcome }) => outcome !== 'refused'),
  );
  if (judged(run).evidence.fewestAtRefusal >= limit || beside === 0) {
    return null;
  }
  await wait(run, windowMs / 300);
  for (let call = 0; call < callsAlone; call += 1) {
    const [sample] = await fire(run, 1, 'alone');
    if (sample === undefined || sample.status === refused[0]?.sample.status) {
      const { possible } = timelineOf(callsOf(run.samples, keyOf(run)));
      const isFull =
        sample !== undefined && possiblyWithin(possible, sample.sentAt - windowMs, sample.receivedAt) >= limit;
      return isFull ? beside : null;
    }
  }
  return beside;
}

/**
 * Sends the opener, the first call of a drive. In real time, waits until neither it nor the burst will be near a full
 * minute of the client's clock, so that windows that start on the minute and windows that start with the first call end
 * at different times.
 */
async function open(run: Run): Promise<Sample | undefined> {
  const second = (run.io.now() / 1000) % 60;
  if (run.terms.windowMs === 60_000 && (second < 4 || second > 49)) {
    await wait(run, 1000 * (second < 4 ? 4 - second : 64 - second));
  }
  return (await fire(run, 1, 'opener'))[0];
}

/** For how many windows to wait for the end of a lockout. */
const mostLockouts = 3;

/**
 * Sends the opener when the key is idle: again after two quiet windows if neither the plan says so nor Remaining shows it,
 * and after a window as long as calls with an unknown key are refused like it: then the address is locked out, which says
 * nothing about the key.
 */
async function begin(run: Run): Promise<void> {
  const { limit, windowMs, idle = false } = run.terms;
  let opener = await open(run);
  for (let round = 0; round < mostLockouts && opener?.status === 429; round += 1) {
    if ((await run.io.intrude?.())?.status !== 429) {
      break;
    }
    run.samples.pop();
    await wait(run, windowMs);
    opener = await open(run);
  }
  if (!idle && opener !== undefined && (minuteRemaining(opener, limit) ?? 0) < limit - 1) {
    await openAgain(run, opener.key);
  }
}

/**
 * Sends the opener of another drive after two quiet windows. Of the calls so far only the last answer counts, if its headers
 * describe a longer window than the minute's: it shows whether others call until the drive begins.
 */
async function openAgain(run: Run, key: string): Promise<void> {
  const { limit, windowMs } = run.terms;
  const last = run.samples.findLast((sample) => sample.key === key && sample.remaining !== null);
  const isLonger = last !== undefined && !showsMinute(last, limit);
  run.samples.splice(0, Infinity, ...(isLonger ? [{ ...last, phase: 'before' }] : []));
  await wait(run, 2 * windowMs);
  await open(run);
}
