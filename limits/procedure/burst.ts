// Repeated bursts of simultaneous calls around the limit, which a racy or sharded counter gets wrong.
import type { MinuteIo } from './run.ts';

interface BurstPlan {
  readonly limit: number;
  readonly windowMs: number;
  readonly bursts: number;
  /** When the first burst begins, on the clock of `now`. */
  readonly startAt: number;
}

/** The number of calls in one burst. */
export const burstSize = (limit: number): number => limit + Math.max(5, Math.ceil(limit / 4));

/**
 * The time from one burst to the next, in ms, after which every fixed window and sliding log is empty again. If windows
 * pass faster, a burst takes a good part of one, so another window is added.
 */
const burstGap = (windowMs: number): number => (windowMs < 60_000 ? 2.1 : 1.1) * windowMs;

/** How many calls are made after each burst. They are refused, unless a new window began during the burst. */
const tailCalls = 3;

/** Sends the bursts. */
export async function runBursts(io: Pick<MinuteIo, 'send' | 'sleep' | 'now'>, plan: BurstPlan): Promise<void> {
  const { limit, windowMs, bursts, startAt } = plan;
  const size = burstSize(limit);
  for (let burst = 0; burst < bursts; burst += 1) {
    const at = startAt + burst * burstGap(windowMs);
    await io.sleep(at - io.now());
    await Promise.all(Array.from({ length: size }, () => io.send(`burst ${burst + 1}`)));
    await io.sleep(at + windowMs / 4 - io.now());
    for (let call = 0; call < tailCalls; call += 1) {
      await io.send(`tail ${burst + 1}`);
    }
  }
}
