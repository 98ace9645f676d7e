// What a call over the limit is answered with.
import type { Call, Sample } from './trace.ts';

export type ExceededVerdict = {
  verdict: 'holds' | 'fails' | 'undecided';
  says: string;
  /** The first call that was refused, with its body where the sample kept one. */
  firstRefused: Sample | null;
};

/** 429 is the documented refusal; its body and code are the business of the clause that knows the API. */
export function judgeExceeded(calls: readonly Call[]): ExceededVerdict {
  const first = calls.find((call) => call.fate === 'refused');
  if (first === undefined) {
    return { verdict: 'undecided', says: 'No call was refused.', firstRefused: null };
  }
  const status = first.sample.status;
  if (status === 429) {
    return { verdict: 'holds', says: 'Calls over the limit got 429.', firstRefused: first.sample };
  }
  return {
    verdict: 'fails',
    says: `Calls over the limit got ${status}; 429 was expected.`,
    firstRefused: first.sample,
  };
}
