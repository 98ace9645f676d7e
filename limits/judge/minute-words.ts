// Sentences about the minute's limit: which cause is likely, which limiters fit.
import { firstOf } from '../../common/words.ts';
import { keyLimits, planLimits } from '../../contract/limits.ts';
import type { WindowVerdict } from './algorithm.ts';
import type { Explanation } from './explain.ts';

const documentedFor: readonly (readonly [number, string])[] = [
  [keyLimits.sandbox.perMinute, 'a sandbox key'],
  [keyLimits.live.perMinute, 'a live key'],
  [planLimits.professional.perMinute, 'the professional plan'],
  [planLimits.enterprise.perMinute, 'the enterprise plan'],
];

/**
 * The likely reason why another number than the documented one is enforced, as a sentence; empty if none is likely.
 */
export function causeOf(enforced: number, limit: number): string {
  const [, whose] = documentedFor.find(([number]) => number === enforced) ?? [];
  if (enforced > limit && enforced % limit === 0) {
    const nodes = ` Perhaps ${enforced / limit} processes or nodes each keep a count of their own`;
    return whose === undefined ? `${nodes}.` : `${nodes}, or the limit is ${whose}'s.`;
  }
  return whose === undefined ? '' : ` That is ${whose}'s limit.`;
}

/** The algorithm in parentheses, for the middle of a sentence; empty if it is unknown. */
export const algorithmIn = ({ algorithm }: WindowVerdict): string =>
  algorithm === 'unknown' || algorithm === 'none met' ? '' : ` (${algorithm})`;

/** The limiters that explain the trace, each with its possible sizes. */
export function sizesOf(explanations: readonly Explanation[]): string {
  const sizes = [...new Set(explanations.map(({ family }) => family))].map((family) => {
    const own = explanations.filter((one) => one.family === family);
    const low = Math.min(...own.map((one) => one.low));
    const high = Math.max(...own.map((one) => one.high));
    return `${family} (${low === high ? low : `${low} to ${high}`})`;
  });
  return firstOf(sizes, 4);
}
