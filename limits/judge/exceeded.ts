import type { ProbeVerdict } from './probes.ts';
import type { Call, Sample } from './trace.ts';

/** Whether calls over the limit get the right status. */
export interface ExceededVerdict {
  readonly verdict: 'holds' | 'fails' | 'undecided';
  readonly says: string;
  /**
   * The first call over the limit, or the one with a wrong status, with its body if the sample has it; null if there is
   * none.
   */
  readonly firstRefused: Sample | null;
}

/**
 * Judges the status of refusals, which must be 429. Their body and code differ by API; the clauses that know it judge
 * them.
 */
export function judgeExceeded(refused: readonly Call[], probes: readonly ProbeVerdict[]): ExceededVerdict {
  const [first] = refused;
  if (first === undefined) {
    return { verdict: 'undecided', says: 'No call was refused.', firstRefused: null };
  }
  const { status } = first.sample;
  if (status !== 429) {
    return {
      verdict: 'fails',
      says: `Calls over the limit got ${status}, not 429.`,
      firstRefused: first.sample,
    };
  }
  const failed = probes.find(({ outcome }) => outcome === 'failed');
  if (failed !== undefined) {
    return {
      verdict: 'fails',
      says: `Over the limit, ${failed.route} got ${failed.sample.status}, not 429.`,
      firstRefused: failed.sample,
    };
  }
  return { verdict: 'holds', says: 'Calls over the limit got 429.', firstRefused: first.sample };
}
