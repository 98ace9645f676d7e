import type { Tally } from '../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../results/stop.ts';

/** Runs one part of a clause; what keeps this part from being decided leaves the other parts alone. */
export async function partly(tally: Tally, part: () => Promise<void>): Promise<void> {
  try {
    await part();
  } catch (error) {
    if (error instanceof Inconclusive) {
      for (const finding of error.findings) {
        tally.leaveOpen(finding);
      }
    } else if (error instanceof Skipped) {
      tally.skip(error.finding);
    } else {
      throw error;
    }
  }
}

/** A step that another only has to wait for: whether it succeeds is its own clauses' matter. */
export async function settled(...steps: readonly Promise<unknown>[]): Promise<void> {
  for (const { reason } of (await Promise.allSettled(steps)).filter((result) => result.status === 'rejected')) {
    if (!(reason instanceof Inconclusive || reason instanceof Skipped)) {
      throw reason;
    }
  }
}
