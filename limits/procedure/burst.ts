// Repeated bursts of simultaneous calls around the limit, which a racy or sharded counter gets wrong. There may be many
// senders, on one or several machines: each sends its share, and they agree on the moments by the clock.
import type { MinuteIo } from './minute-io.ts';

interface BurstPlan {
  readonly limit: number;
  readonly windowMs: number;
  readonly bursts: number;
  /** When the first burst begins, on the clock of `now`. */
  readonly startAt: number;
  /** This sender's number and how many there are. */
  readonly sender: number;
  readonly senders: number;
}

/** The number of calls in one burst, from all senders together. */
export const burstSize = (limit: number): number => limit + Math.max(5, Math.ceil(limit / 4));

/**
 * The time from one burst to the next, in ms, after which every fixed window and sliding log is empty again. If windows
 * pass faster, a burst takes a good part of one, so another window is added.
 */
export const burstGap = (windowMs: number): number => (windowMs < 60_000 ? 2.1 : 1.1) * windowMs;

/**
 * How many calls the first sender makes after each burst. They are refused, unless a new window began during the burst.
 */
const tailCalls = 3;

const share = (total: number, sender: number, senders: number): number =>
  Math.floor((total * (sender + 1)) / senders) - Math.floor((total * sender) / senders);

/** Sends this sender's share of every burst. */
export async function runBursts(
  io: Pick<MinuteIo, 'send' | 'sleep' | 'now' | 'progress'>,
  plan: BurstPlan,
): Promise<void> {
  const { limit, windowMs, bursts, startAt, sender, senders } = plan;
  const mine = share(burstSize(limit), sender, senders);
  for (let burst = 0; burst < bursts; burst += 1) {
    const at = startAt + burst * burstGap(windowMs);
    await io.sleep(at - io.now());
    await Promise.all(Array.from({ length: mine }, () => io.send(`burst ${burst + 1}`)));
    if (sender === 0) {
      await io.sleep(at + windowMs / 4 - io.now());
      for (let call = 0; call < tailCalls; call += 1) {
        await io.send(`tail ${burst + 1}`);
      }
    }
    io.progress?.(`burst ${burst + 1} of ${bursts}`, mine);
  }
}
