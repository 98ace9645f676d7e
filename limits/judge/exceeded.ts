import type { ProbeVerdict } from './probes.ts';
import type { Call, Sample } from './trace.ts';

/** What a call over the limit is answered with. */
export interface ExceededVerdict {
  readonly verdict: 'holds' | 'fails' | 'undecided';
  readonly says: string;
  /** The first call that was refused (the one that was refused wrongly), with its body where the sample kept one. */
  readonly firstRefused: Sample | null;
}

/** 429 is the documented refusal; its body and code are the business of the clause that knows the API. */
export function judgeExceeded(refused: readonly Call[], probes: readonly ProbeVerdict[]): ExceededVerdict {
  const [first] = refused;
  if (first === undefined) {
    return { verdict: 'undecided', says: 'No call was refused.', firstRefused: null };
  }
  const { status } = first.sample;
  if (status !== 429) {
    return {
      verdict: 'fails',
      says: `Calls over the limit got ${status}; 429 was expected.`,
      firstRefused: first.sample,
    };
  }
  const failed = probes.find(({ outcome }) => outcome === 'failed');
  if (failed !== undefined) {
    return {
      verdict: 'fails',
      says: `Over the limit ${failed.route} got ${failed.sample.status}; 429 was expected.`,
      firstRefused: failed.sample,
    };
  }
  return { verdict: 'holds', says: 'Calls over the limit got 429.', firstRefused: first.sample };
}
