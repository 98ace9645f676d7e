// Sentences about the minute's limit: which cause is likely.
import { keyLimits, planLimits } from '../../contract/limits.ts';
import type { WindowVerdict } from './algorithm.ts';

const documentedFor: readonly (readonly [number, string])[] = [
  [keyLimits.sandbox.perMinute, "the developer API's sandbox keys"],
  [keyLimits.live.perMinute, "the developer API's live keys"],
  [planLimits.professional.perMinute, "the workspace API's professional plan"],
  [planLimits.enterprise.perMinute, 'enterprise keys and plans'],
];

/**
 * The likely reason why another number than the documented one is enforced, as a sentence; empty if none is likely.
 */
export function causeOf(enforced: number, limit: number): string {
  const [, whose] = documentedFor.find(([number]) => number === enforced) ?? [];
  if (enforced > limit && enforced % limit === 0) {
    const nodes = ` Perhaps ${enforced / limit} processes or nodes each keep a count of their own`;
    return whose === undefined ? `${nodes}.` : `${nodes}, or the limit is that of ${whose}.`;
  }
  if (whose !== undefined) {
    return ` That is the limit of ${whose}.`;
  }
  if (enforced === limit + 1) {
    return ' Perhaps the counter is compared before it is incremented.';
  }
  return enforced === limit - 1
    ? ' Perhaps the counter is incremented before it is compared, so that the last call is refused.'
    : '';
}

/** The algorithm in parentheses, for the middle of a sentence; empty if it is unknown. */
export const algorithmIn = ({ algorithm }: WindowVerdict): string =>
  algorithm === 'unknown' || algorithm === 'none met' ? '' : ` (${algorithm})`;
