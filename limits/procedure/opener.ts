import { minuteRemaining } from '../judge/headers.ts';
import { readingBefore } from '../judge/since-opener.ts';
import type { Sample } from '../judge/trace.ts';
import type { Drive } from './minute-io.ts';
import { fire, wait } from './run.ts';

/**
 * In real time, waits until neither the opener nor the burst will be near a full minute of the client's clock, so that
 * windows that start on the minute and windows that start with the first call end at different times.
 */
export async function settleClock(run: Drive): Promise<void> {
  const second = (run.io.now() / 1000) % 60;
  if (run.terms.windowMs === 60_000 && (second < 4 || second > 49)) {
    await wait(run, 1000 * (second < 4 ? 4 - second : 64 - second));
  }
}

/** For how many windows to wait for the end of a lockout. */
const mostLockouts = 3;

/**
 * Whether calls with an unknown key are refused like the opener. Then the address is locked out, which says nothing
 * about the key.
 */
async function isLockedOut({ io }: Drive, opener: Sample | undefined): Promise<boolean> {
  return opener?.status === 429 && (await io.intrude?.())?.status === 429;
}

/**
 * Sends the opener, the first call of a drive; again after a window without a call as long as the address is locked
 * out.
 */
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
 * Sends the opener when the key is idle. If neither the plan says so nor Remaining shows it, the opener is sent again
 * after two quiet windows.
 */
export async function begin(run: Drive): Promise<void> {
  const { limit, windowMs, idle = false } = run.terms;
  const first = await open(run);
  if (idle || first === undefined) {
    return;
  }
  if ((minuteRemaining(first, limit) ?? 0) >= limit - 1) {
    return;
  }
  await wait(run, 2 * windowMs);
  await settleClock(run);
  run.samples.splice(0, Infinity, ...readingBefore(run.samples, first.key, limit));
  await fire(run, 1, 'opener');
}
