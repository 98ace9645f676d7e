import { createSemaphore } from '../../common/semaphore.ts';
import type { Sample } from '../judge/trace.ts';
import { mostAtOnce } from './at-once.ts';
import { begin, openAgain } from './opener.ts';
import { probeOthers, tryAgain } from './others.ts';
import { checkLength, fillWithinMinute, followReturns, tellBucket } from './returns.ts';
import { fill, judged, keyOf, type MinuteIo, type MinutePlan, type Run, wait } from './run.ts';

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
  if (!(await tellBucket(run))) {
    await checkLength(run);
    await fillWithinMinute(run);
  }
  if (!probed.proves && judged(run).perMinute.verdict === 'holds') {
    run.cap += limit;
    probed = (await fill(run, 'second burst', limit + 2)) ? await probeOthers(run, probes) : probed;
  }
  await tryAgain(run, probed.broken);
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
  let [atOnce, most] = [await drive(run), Infinity];
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
