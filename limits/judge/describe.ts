// What the three headers say, how they are written, and whether Reset agrees with the edge that was seen.
import { clockOffset, firstNumber, type ResetMotion, type ResetReading, type ResetUnit, readReset } from './headers.ts';
import type { Call } from './trace.ts';

export type HeadersVerdict = {
  /** A sample text of each header as it came; null where it never came. */
  limit: string | null;
  remaining: string | null;
  reset: string | null;
  retryAfter: string | null;
  resetUnit: ResetUnit;
  resetMotion: ResetMotion;
  /** Whether Reset named the moment at which calls were admitted again; null where that was not seen or not judged. */
  resetAgrees: boolean | null;
  retryAfterAgrees: boolean | null;
  says: string;
};

/** The last refusal before calls came back and the first call that came back: the edge lies between. */
function edge(calls: readonly Call[]): { last: Call; back: Call } | null {
  const first = calls.find((call) => call.fate === 'refused');
  const back = first && calls.find((call) => call.fate === 'admitted' && call.s > first.r);
  const last = back && calls.filter((call) => call.fate === 'refused' && call.r < back.s).at(-1);
  return back && last ? { last, back } : null;
}

function agrees(claim: { from: number; to: number } | null, seen: { last: Call; back: Call } | null): boolean | null {
  if (claim === null || seen === null) {
    return null;
  }
  return claim.from <= seen.back.r && claim.to >= seen.last.s;
}

function retryClaim(call: Call): { from: number; to: number } | null {
  const seconds = firstNumber(call.sample.retryAfter);
  if (seconds === null || seconds > 1e8) {
    return null;
  }
  return { from: call.s + seconds * 1000 - 1000, to: call.r + seconds * 1000 + 1000 };
}

/** Two calls of one window, as far apart as the trace has them: the first refusal and the last before the return. */
function read(calls: readonly Call[], refused: readonly Call[], last: Call): ResetReading {
  const offset = clockOffset(calls.map((call) => call.sample));
  const first = refused[0] ?? (calls[0] as Call);
  return readReset(first.sample, last.sample, offset);
}

/** Describes the headers; the times they name are held against the edge only where the clock runs at its own speed. */
export function describeHeaders(calls: readonly Call[], windowMs: number): HeadersVerdict {
  const text = (name: 'limit' | 'remaining' | 'reset' | 'retryAfter'): string | null =>
    calls.find((call) => call.sample[name] !== null)?.sample[name] ?? null;
  const shown = {
    limit: text('limit'),
    remaining: text('remaining'),
    reset: text('reset'),
    retryAfter: text('retryAfter'),
  };
  const refused = calls.filter((call) => call.fate === 'refused' && call.sample.reset !== null);
  const seen = edge(calls);
  const last = seen?.last ?? refused.at(-1) ?? calls.at(-1);
  if (last === undefined) {
    return {
      ...shown,
      resetUnit: 'absent',
      resetMotion: 'unknown',
      resetAgrees: null,
      retryAfterAgrees: null,
      says: 'No call was answered.',
    };
  }
  const reading = read(calls, refused, last);
  const realTime = windowMs === 60_000;
  const resetAgrees = realTime ? agrees(reading.claims(last.sample), seen) : null;
  const retryAfterAgrees = realTime ? agrees(retryClaim(last), seen) : null;
  const verdict =
    resetAgrees === null
      ? ''
      : resetAgrees
        ? ', and named the moment of the return'
        : ', and did not name the moment of the return';
  const says =
    shown.reset === null ? 'Reset is absent.' : `Reset reads as ${reading.unit} (${reading.motion})${verdict}.`;
  return { ...shown, resetUnit: reading.unit, resetMotion: reading.motion, resetAgrees, retryAfterAgrees, says };
}
