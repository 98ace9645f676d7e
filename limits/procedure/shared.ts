import { refusalStatus, type Sample } from '../judge/trace.ts';
import type { MinuteIo } from './minute-io.ts';

interface SharedPlan {
  readonly limit: number;
  readonly windowMs: number;
  /** Whether nobody used the keys in the last two windows. */
  readonly idle: boolean;
}

/** If nothing was refused in the first round, a window may have ended during its calls, so there is a second. */
const mostRounds = 2;

/**
 * Finds out whether two keys share one budget: calls with the two in turn until both together have made a little more
 * than the limit, and each alone little more than half of it. Returns the samples of each round.
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
