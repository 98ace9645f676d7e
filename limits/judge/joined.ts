import type { Explanation, Family } from './hypotheses.ts';

type Sized = Pick<Explanation, 'family' | 'low' | 'high'>;

/**
 * The explanations with ranges of one family joined if they overlap or touch, for sentences that name the possible
 * sizes.
 */
export function joined(explanations: readonly Sized[]): Sized[] {
  const ranges: { family: Family; low: number; high: number }[] = [];
  for (const { family, low, high } of explanations.toSorted((a, b) => a.low - b.low)) {
    const known = ranges.find((range) => range.family === family && low <= range.high + 1);
    if (known === undefined) {
      ranges.push({ family, low, high });
    } else {
      known.high = Math.max(known.high, high);
    }
  }
  return ranges;
}
