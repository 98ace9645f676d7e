import { minuteRemaining, showsMinute } from '../judge/headers.ts';
import type { Sample } from '../judge/trace.ts';
import { fire, type Run, wait } from './run.ts';

/**
 * In real time, waits until neither the opener nor the burst will be near a full minute of the client's clock, so that
 * windows that start on the minute and windows that start with the first call end at different times.
 */
async function settleClock(run: Run): Promise<void> {
  const second = (run.io.now() / 1000) % 60;
  if (run.terms.windowMs === 60_000 && (second < 4 || second > 49)) {
    await wait(run, 1000 * (second < 4 ? 4 - second : 64 - second));
  }
}

/** Sends the opener, the first call of a drive. */
async function open(run: Run): Promise<Sample | undefined> {
  await settleClock(run);
  return (await fire(run, 1, 'opener'))[0];
}

/** For how many windows to wait for the end of a lockout. */
const mostLockouts = 3;

/**
 * Sends the opener when the key is idle: again after two quiet windows if neither the plan says so nor Remaining shows it,
 * and after a window as long as calls with an unknown key are refused like it: then the address is locked out, which says
 * nothing about the key.
 */
export async function begin(run: Run): Promise<void> {
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
export async function openAgain(run: Run, key: string): Promise<void> {
  const { limit, windowMs } = run.terms;
  const last = run.samples.findLast((sample) => sample.key === key && sample.remaining !== null);
  const isLonger = last !== undefined && !showsMinute(last, limit);
  run.samples.splice(0, Infinity, ...(isLonger ? [{ ...last, phase: 'before' }] : []));
  await wait(run, 2 * windowMs);
  await open(run);
}
