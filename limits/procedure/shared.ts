// Do two keys share one budget? Pure: the caller gives the means.
import { refusalStatus, type Sample } from '../judge/trace.ts';
import type { MinuteIo } from './minute.ts';

interface SharedPlan {
  readonly limit: number;
  readonly windowMs: number;
  /** Nobody used the keys in the last two windows. */
  readonly idle: boolean;
}

/** The most rounds: where nothing was refused, a window's edge may have fallen among the calls. */
const mostRounds = 2;

/**
 * From idle, sends with the two keys in turn until both together have made a little more than the limit, each alone
 * little more than half of it. Gives each round's samples.
 */
export async function runShared(
  io: Pick<MinuteIo, 'sleep'> & { first: MinuteIo['send']; second: MinuteIo['send'] },
  plan: SharedPlan,
): Promise<Sample[][]> {
  const { limit, windowMs, idle } = plan;
  const rounds: Sample[][] = [];
  if (!idle) {
    await io.sleep(2 * windowMs);
  }
  for (let round = 1; round <= mostRounds; round += 1) {
    const calls = Array.from({ length: limit + 4 }, (_, call) =>
      (call % 2 === 0 ? io.first : io.second)(`round ${round}`),
    );
    const samples = await Promise.all(calls);
    rounds.push(samples);
    if (samples.some((sample) => sample.status === refusalStatus(samples))) {
      break;
    }
    if (round < mostRounds) {
      await io.sleep(1.1 * windowMs);
    }
  }
  return rounds;
}
