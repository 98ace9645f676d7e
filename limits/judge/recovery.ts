// Recovery: once the minute has passed, calls succeed again.
import { fewestAtRefusal } from './sliding.ts';
import type { Call } from './trace.ts';

export type RecoveryVerdict = {
  verdict: 'holds' | 'fails' | 'undecided';
  says: string;
  /** Between these two moments, counted from the first refusal in ms, the first call got through again. */
  after: { from: number; to: number } | null;
};

/** Looks for the first admission that certainly followed a refusal, and for refusals with an empty minute behind them. */
export function judgeRecovery(calls: readonly Call[], windowMs: number, slack: number): RecoveryVerdict {
  const refused = calls.filter((call) => call.fate === 'refused');
  const first = refused[0];
  if (first === undefined) {
    return { verdict: 'undecided', says: 'Nothing was refused.', after: null };
  }
  if (fewestAtRefusal(calls, windowMs, slack) === 0) {
    return {
      verdict: 'fails',
      says: 'A call was refused although none had been admitted for a whole window.',
      after: null,
    };
  }
  const back = calls.find((call) => call.fate === 'admitted' && call.s > first.r);
  if (back === undefined) {
    return { verdict: 'undecided', says: 'No call was admitted again while the run lasted.', after: null };
  }
  const last = refused.filter((call) => call.r < back.s).at(-1) ?? first;
  const after = { from: Math.floor(last.s - first.s), to: Math.ceil(back.r - first.s) };
  return { verdict: 'holds', says: `Calls succeeded again ${after.to} ms after the first refusal.`, after };
}
