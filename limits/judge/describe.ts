import {
  clockOffset,
  firstNumber,
  headersOfLimit,
  type ResetMotion,
  type ResetReading,
  type ResetUnit,
  readReset,
} from './headers.ts';
import { type Call, type Range, type Return, returnIn, type Sample } from './trace.ts';

type ShownHeader = 'limit' | 'remaining' | 'reset' | 'retryAfter';

/** An example of each header as it came, its unit, and whether it named the moment of the return. */
export interface HeadersVerdict extends Pick<Sample, ShownHeader> {
  readonly resetUnit: ResetUnit;
  readonly resetMotion: ResetMotion;
  /**
   * Whether Reset named the moment at which calls were admitted again; null if there was no return, or it cannot be
   * judged.
   */
  readonly resetAgrees: boolean | null;
  readonly retryAfterAgrees: boolean | null;
  readonly says: string;
}

const agrees = (claim: Range | null, seen: Return | null): boolean | null =>
  claim === null || seen === null ? null : claim.from <= seen.back.to && claim.to >= seen.last.from;

/** Whether each refusal before the return named it: who says one second all along is right with the last one only. */
function allAgree(calls: readonly Call[], claims: (call: Call) => Range | null, seen: Return | null): boolean | null {
  const refused = calls.filter(({ outcome, from }) => outcome === 'refused' && from <= (seen?.last.from ?? -Infinity));
  const all = refused.map((call) => agrees(claims(call), seen));
  return all.includes(false) ? false : (all.find((one) => one !== null) ?? null);
}

/** Retry-After counts whole seconds. */
const roundingMs = 1000;

function retryClaim({ from, to, sample }: Call): Range | null {
  const seconds = firstNumber(sample.retryAfter);
  return seconds === null || seconds > 1e8
    ? null
    : { from: from + seconds * 1000 - roundingMs, to: to + seconds * 1000 + roundingMs };
}

/**
 * Reads Reset from two calls of one window that are as far apart as possible: the first refusal and the last before the
 * return.
 */
function readingOf(calls: readonly Call[], seen: Return | null): { reading: ResetReading; last: Call } | null {
  const refused = calls.filter((call) => call.outcome === 'refused' && call.sample.reset !== null);
  const first = refused[0] ?? calls[0];
  const last = seen?.last ?? refused.at(-1) ?? calls.at(-1);
  if (first === undefined || last === undefined) {
    return null;
  }
  return { reading: readReset(first.sample, last.sample, clockOffset(calls.map(({ sample }) => sample))), last };
}

/**
 * Times in headers can be judged only in real time: if windows pass faster (CLOCK_SPEED), headers may count either
 * clock.
 */
const isRealTime = (windowMs: number): boolean => windowMs === 60_000;

/**
 * Describes the headers of the calls of one key, in the order of sending. `limit`: the minute's, whose Reset is read where
 * a gateway's values stand beside it.
 */
export function describeHeaders(given: readonly Call[], windowMs: number, limit?: number): HeadersVerdict {
  const calls =
    limit === undefined
      ? given
      : given.map((call) => ({ ...call, sample: headersOfLimit(call.sample, limit) ?? call.sample }));
  const text = (name: ShownHeader): string | null =>
    given.find((call) => call.sample[name] !== null)?.sample[name] ?? null;
  const shown = {
    limit: text('limit'),
    remaining: text('remaining'),
    reset: text('reset'),
    retryAfter: text('retryAfter'),
  };
  const seen = returnIn(calls);
  const read = readingOf(calls, seen);
  if (read === null) {
    const unknown = { resetUnit: 'absent', resetMotion: 'unknown', resetAgrees: null, retryAfterAgrees: null } as const;
    return { ...shown, ...unknown, says: 'No call was answered.' };
  }
  const { reading, last } = read;
  const resetAgrees = isRealTime(windowMs) ? agrees(reading.claims(last.sample), seen) : null;
  const retryAfterAgrees = isRealTime(windowMs) ? allAgree(calls, retryClaim, seen) : null;
  const verdicts = {
    true: ', and gave the right reset time',
    false: ', and gave a wrong reset time',
  };
  const says =
    shown.reset === null
      ? 'Reset is absent.'
      : `Reset reads as ${reading.unit} (${reading.motion})${resetAgrees === null ? '' : verdicts[`${resetAgrees}`]}.`;
  return { ...shown, resetUnit: reading.unit, resetMotion: reading.motion, resetAgrees, retryAfterAgrees, says };
}

/** Whether Reset named the moment of the return, and then an end of the next window that is a minute later. */
export function namesNextWindow(calls: readonly Call[], windowMs: number): boolean {
  const seen = returnIn(calls);
  const read = readingOf(calls, seen);
  if (
    seen === null ||
    read === null ||
    !isRealTime(windowMs) ||
    agrees(read.reading.claims(read.last.sample), seen) !== true
  ) {
    return false;
  }
  const next = read.reading.claims(seen.back.sample);
  return next !== null && next.from <= seen.back.to + windowMs && next.to >= seen.last.from + windowMs;
}
