// What repeated bursts show of a counter that is not read and written at once.
import { firstNumber, showsMinute } from './headers.ts';
import type { Sample } from './trace.ts';

export type BurstCount = {
  burst: number;
  sent: number;
  admitted: number;
  refused: number;
  /** From the first call sent to the last answer, ms. */
  lasted: number;
  /** Admitted calls that were told a Remaining which another call of the burst was told too. */
  duplicates: number;
};

/** One count for each burst of a trace; the calls are told apart by their phase, `burst 1` and so on. */
export function countBursts(samples: readonly Sample[], limit: number): BurstCount[] {
  const numbers = [...new Set(samples.flatMap((sample) => /^burst (\d+)$/.exec(sample.phase)?.[1] ?? []))].map(Number);
  return numbers
    .sort((a, b) => a - b)
    .map((burst) => {
      const calls = samples.filter((sample) => sample.phase === `burst ${burst}`);
      const admitted = calls.filter((sample) => sample.status !== 0 && sample.status < 400);
      const told = admitted
        .filter((sample) => showsMinute(sample, limit))
        .map((sample) => firstNumber(sample.remaining));
      return {
        burst,
        sent: calls.length,
        admitted: admitted.length,
        refused: calls.filter((sample) => sample.status === 429).length,
        lasted:
          Math.max(...calls.map((sample) => sample.receivedAt)) - Math.min(...calls.map((sample) => sample.sentAt)),
        duplicates: told.length - new Set(told).size,
      };
    });
}

/** What n clean bursts bound the chance of an over-admission in one burst by, at 95 %. */
export const cleanBound = (bursts: number): number => 1 - 0.05 ** (1 / bursts);
