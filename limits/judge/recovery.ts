import { heldLonger } from './hypotheses.ts';
import { countBelow, possiblyWithin, type Timeline } from './timeline.ts';
import { type Call, type Range, returnIn } from './trace.ts';

export interface RecoveryVerdict {
  readonly verdict: 'holds' | 'fails' | 'undecided';
  readonly says: string;
  /** Between these two moments, counted from the first refusal in ms, the first call got through again. */
  readonly after: Range | null;
}

/** Refused calls up to this share of the limit do not use it up, even where the limiter counts them. */
const fewShare = 1 / 2;

/**
 * Whether a sliding counter that counts refused calls too may have refused the call: the window before, wherever it began, weighs by
 * the share of it that lies within a window's length of the call.
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
 * Whether a window in segments may have refused the call: it holds what was called until all of its segment is a minute old, and lets
 * calls in then.
 */
function mayBeHeld({ calls, possible }: Timeline, { from, to }: Call, windowMs: number, slack: number): boolean {
  const longer = windowMs * heldLonger;
  return (
    possiblyWithin(possible, from - windowMs - longer - slack, to) > 0 &&
    calls.some((call) => call.outcome === 'admitted' && call.from > to && call.from <= from + 2 * longer)
  );
}

/**
 * Once the minute has passed, calls succeed again. A limiter may count refused calls too, and begin its minute anew with each:
 * only a call with no call of the key in the window before it must succeed. Where calls came back while the key was tried, few
 * refused ones before it are none.
 */
export function judgeRecovery(
  timeline: Timeline,
  { limit, windowMs, slack }: { readonly limit: number; readonly windowMs: number; readonly slack: number },
): RecoveryVerdict {
  const { calls, refused, possible, all, span } = timeline;
  const [first] = refused;
  if (first === undefined) {
    return { verdict: 'undecided', says: 'Nothing was refused.', after: null };
  }
  const seen = returnIn(calls);
  const renews =
    seen === null || refused.every(({ from, to }) => to >= seen.back.from || from < seen.back.to - windowMs);
  const most = renews ? 1 : Math.max(1, limit * fewShare);
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
    const says = `A call was refused although the key had not been ${isAlone ? 'used' : 'given anything'} for a whole minute.`;
    return { verdict: 'fails', says, after: null };
  }
  if (seen === null) {
    return { verdict: 'undecided', says: 'No call was admitted again while the run lasted.', after: null };
  }
  const { last, back } = seen;
  const after = { from: Math.floor(last.from - first.from), to: Math.ceil(back.to - first.from) };
  return { verdict: 'holds', says: `Calls succeeded again ${after.to} ms after the first refusal.`, after };
}
