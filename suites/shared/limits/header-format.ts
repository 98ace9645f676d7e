import type { HeadersVerdict } from '../../../limits/judge/describe.ts';
import { notMet } from '../../../results/drift.ts';

/**
 * What the clause on the headers' format observes: their units, and the forms of their values. The values themselves
 * differ from run to run, and are noted as measured. `wasRefused`: whether a 429 came, which may carry Retry-After.
 */
export function headerFormats(seen: HeadersVerdict, wasRefused: boolean): Record<string, unknown> {
  const { limit, remaining, reset, retryAfter } = seen;
  return {
    ...seen,
    remaining: formOf(remaining),
    reset: formOf(reset),
    retryAfter: wasRefused ? formOf(retryAfter) : notMet,
    measured: { limit, remaining, reset, retryAfter },
  };
}

/** The form of a value, without the digits that differ from run to run. */
const formOf = (text: string | null): string | null =>
  text?.replace(/\d+/g, (digits) => (digits.length > 5 ? '<many digits>' : '<some digits>')) ?? null;
