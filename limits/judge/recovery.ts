import { heldLonger } from './log.ts';
import { countBelow, type FitTerms, possiblyWithin, type Timeline } from './timeline.ts';
import { type Call, type Range, returnIn } from './trace.ts';

export interface RecoveryVerdict {
  readonly verdict: 'holds' | 'fails' | 'undecided';
  readonly says: string;
  /** When the first call was admitted again, as a range in ms since the first refusal; null if that was not seen. */
  readonly after: Range | null;
}

/** Fewer refused calls than this share of the limit do not use it up, even if the limiter counts them. */
const fewShare = 1 / 2;

/**
 * Whether a sliding counter that counts refused calls too may have refused the call, wherever the window before it
 * began.
 */
function mayBeWeighed({ all }: Timeline, { from, to }: Call, limit: number, windowMs: number): boolean {
  const begins = all.froms.slice(countBelow(all.froms, from - 2 * windowMs), countBelow(all.froms, from - windowMs));
  return begins.some((start) => {
    const before = possiblyWithin(all, start, start + windowMs);
    const weight = (start + 2 * windowMs - from) / windowMs;
    return before * weight + possiblyWithin(all, start + windowMs, to) > limit;
  });
}

/**
 * Whether a window in segments may have refused the call: it holds calls until all of their segment is a minute old.
 */
function mayBeHeld({ calls, possible }: Timeline, { from, to }: Call, windowMs: number, slack: number): boolean {
  const longer = windowMs * heldLonger;
  return (
    possiblyWithin(possible, from - windowMs - longer - slack, to) > 0 &&
    calls.some((call) => call.outcome === 'admitted' && call.from > to && call.from <= from + 2 * longer)
  );
}

/**
 * Judges whether calls succeed again once the minute has passed. A limiter may count refused calls, and begin its
 * minute anew with each, so only a call without any other call in the window before it must succeed. If calls returned
 * while the key was being tried, the limiter does not do so, and a few refused calls in that window are ignored.
 */
export function judgeRecovery(timeline: Timeline, { limit, windowMs, slack }: FitTerms): RecoveryVerdict {
  const { calls, refused, possible, all, span } = timeline;
  const [first] = refused;
  if (first === undefined) {
    return { verdict: 'undecided', says: 'Nothing was refused.', after: null };
  }
  const seen = returnIn(calls);
  const mayRenew =
    seen === null || refused.every(({ from, to }) => to >= seen.back.from || from < seen.back.to - windowMs);
  const most = mayRenew ? 1 : Math.max(1, limit * fewShare);
  const isUnprovoked = ({ from, to }: Call): boolean => {
    const since = from - windowMs - slack;
    return since >= span.from && possiblyWithin(possible, since, to) === 0 && possiblyWithin(all, since, to) <= most;
  };
  const wrong = refused.find(
    (call) =>
      isUnprovoked(call) &&
      !mayBeWeighed(timeline, call, limit, windowMs) &&
      !mayBeHeld(timeline, call, windowMs, slack),
  );
  if (wrong !== undefined) {
    const isAlone = possiblyWithin(all, wrong.from - windowMs - slack, wrong.to) === 1;
    const why = isAlone ? 'the key had not been used' : 'no call with the key had been admitted';
    return { verdict: 'fails', says: `A call was refused although ${why} for a whole minute.`, after: null };
  }
  if (seen === null) {
    return { verdict: 'undecided', says: 'No call was admitted again while the run lasted.', after: null };
  }
  const { last, back } = seen;
  const after = { from: Math.floor(last.from - first.from), to: Math.ceil(back.to - first.from) };
  return { verdict: 'holds', says: `Calls succeeded again ${after.to} ms after the first refusal.`, after };
}
