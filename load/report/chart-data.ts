import { firstNumber } from '../../limits/judge/headers.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';

/**
 * The data of one key's chart: a column of seconds since the first call, and one column for each series, as uPlot takes
 * them.
 */
interface ChartData {
  readonly key: string;
  readonly columns: readonly (readonly (number | null)[])[];
}

/** A chart with more points would show nothing more. */
const mostPoints = 4000;

const thin = <T>(rows: readonly T[]): T[] => {
  const step = Math.ceil(rows.length / mostPoints);
  return rows.filter((_, index) => index % step === 0);
};

/** One key's trace over time: calls admitted and refused so far, Remaining, and how long each answer took. */
export function chartData(key: string, samples: readonly Sample[]): ChartData {
  const start = samples[0]?.sentAt ?? 0;
  let [admitted, refused] = [0, 0];
  const rows = samples
    .filter((sample) => sample.key !== 'unknown')
    .map((sample) => {
      if (sample.status === 429) {
        refused += 1;
      } else if (isLetThrough(sample)) {
        admitted += 1;
      }
      return [
        (sample.sentAt - start) / 1000,
        admitted,
        refused,
        firstNumber(sample.remaining),
        sample.receivedAt - sample.sentAt,
      ];
    });
  const thinned = thin(rows);
  return { key, columns: [0, 1, 2, 3, 4].map((column) => thinned.map((row) => row[column] ?? null)) };
}
