import { minuteAt } from '../../contract/limits.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';

/** The rolling minute in which most calls were admitted. */
interface WorstMinute {
  readonly admitted: number;
  /** When its first call was sent, in milliseconds since the first call of all. */
  readonly from: number;
}

/** The worst minute by the times of sending; null if no call was admitted. It may span two fixed windows. */
export function worstMinute(samples: readonly Sample[], clockSpeed: number): WorstMinute | null {
  const windowMs = minuteAt(clockSpeed);
  const start = Math.min(...samples.map(({ sentAt }) => sentAt));
  const times = samples
    .filter((sample) => sample.key !== 'unknown' && isLetThrough(sample))
    .map(({ sentAt }) => sentAt)
    .sort((a, b) => a - b);
  let worst: WorstMinute | null = null;
  let first = 0;
  for (const [index, time] of times.entries()) {
    while ((times[first] ?? time) <= time - windowMs) {
      first += 1;
    }
    const admitted = index - first + 1;
    if (worst === null || admitted > worst.admitted) {
      worst = { admitted, from: (times[first] ?? time) - start };
    }
  }
  return worst;
}
