import { possiblyWithin, type Timeline } from './timeline.ts';
import type { Call, Range } from './trace.ts';

export interface RecoveryVerdict {
  readonly verdict: 'holds' | 'fails' | 'undecided';
  readonly says: string;
  /** Between these two moments, counted from the first refusal in ms, the first call got through again. */
  readonly after: Range | null;
}

/**
 * Once the minute has passed, calls succeed again. A limiter may count refused calls too, so only a call with no call of the
 * key at all in the window before it must succeed.
 */
export function judgeRecovery(
  { calls, refused, all, span }: Timeline,
  windowMs: number,
  slack: number,
): RecoveryVerdict {
  const [first] = refused;
  if (first === undefined) {
    return { verdict: 'undecided', says: 'Nothing was refused.', after: null };
  }
  const isUnprovoked = ({ from, to }: Call): boolean =>
    from - windowMs - slack >= span.from && possiblyWithin(all, from - windowMs - slack, to) === 1;
  if (refused.some(isUnprovoked)) {
    return {
      verdict: 'fails',
      says: 'A call was refused although the key had not been used for a whole minute.',
      after: null,
    };
  }
  const back = calls.find((call) => call.outcome === 'admitted' && call.from > first.to);
  if (back === undefined) {
    return { verdict: 'undecided', says: 'No call was admitted again while the run lasted.', after: null };
  }
  const last = refused.findLast((call) => call.to < back.from) ?? first;
  const after = { from: Math.floor(last.from - first.from), to: Math.ceil(back.to - first.from) };
  return { verdict: 'holds', says: `Calls succeeded again ${after.to} ms after the first refusal.`, after };
}
