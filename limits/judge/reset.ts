// What Reset and Retry-After mean, and whether they name the moment at which calls are admitted again.
import { firstNumber, headersOfLimit } from './headers.ts';
import { type Call, type Range, type Return, returnIn, type Sample } from './trace.ts';

type ResetUnit = 'epoch seconds' | 'epoch milliseconds' | 'seconds left' | 'date' | 'unknown' | 'absent';

type ShownHeader = 'limit' | 'remaining' | 'reset' | 'retryAfter';

/** An example of each header as it came, its unit, and whether it named the moment of the return. */
export type HeadersVerdict = ReturnType<typeof describeHeaders>;

/**
 * The server's clock minus the client's, as a range in ms, from Date headers; null if there are none, or they
 * contradict each other.
 */
function clockOffset(samples: readonly Sample[]): Range | null {
  let from = -Infinity;
  let to = Infinity;
  for (const sample of samples) {
    const date = sample.date === null ? NaN : Date.parse(sample.date);
    if (!Number.isNaN(date)) {
      from = Math.max(from, date - sample.receivedAt);
      to = Math.min(to, date + 1000 - sample.sentAt);
    }
  }
  return Number.isFinite(from) && from <= to ? { from, to } : null;
}

/** The unit that a value's form and size suggest. */
function unitOf(text: string | null): ResetUnit {
  if (text === null) {
    return 'absent';
  }
  if (/[A-Za-z]{3}|\d{4}-\d\d-\d\d/.test(text)) {
    return Number.isNaN(Date.parse(text)) ? 'unknown' : 'date';
  }
  const value = firstNumber(text);
  if (value === null) {
    return 'unknown';
  }
  return value > 1e11 ? 'epoch milliseconds' : value > 1e8 ? 'epoch seconds' : 'seconds left';
}

/** The instant that a value in this unit names on the client's clock, in a call's response, give or take its rounding. */
function claimOf(text: string | null, unit: ResetUnit, { from, to }: Range, offset: Range | null): Range | null {
  const ms =
    unit === 'date' ? Date.parse(text ?? '') : (firstNumber(text) ?? NaN) * (unit.includes('milli') ? 1 : 1000);
  const start = unit.endsWith('left') ? { from, to } : offset && { from: -offset.to, to: -offset.from };
  return start === null || Number.isNaN(ms)
    ? null
    : { from: start.from + ms - roundingMs, to: start.to + ms + roundingMs };
}

const roundingMs = 1000;

const agrees = (claim: Range | null, seen: Return | null): boolean | null =>
  claim === null || seen === null ? null : claim.from <= seen.back.to && claim.to >= seen.last.from;

/** Whether each refusal before the return named it: who says one second all along is right with the last one only. */
function allAgree(calls: readonly Call[], seen: Return | null, claimOn: (call: Call) => Range | null): boolean | null {
  const refused = calls.filter(({ outcome, from }) => outcome === 'refused' && from <= (seen?.last.from ?? -Infinity));
  const all = refused.map((call) => agrees(claimOn(call), seen));
  return all.includes(false) ? false : (all.find((one) => one !== null) ?? null);
}

/** The return, what Reset and Retry-After are in, and which instants they name. */
function readingOf(calls: readonly Call[], windowMs: number) {
  // Times can be judged only in real time: if windows pass faster (CLOCK_SPEED), they may count either clock.
  const seen = windowMs === 60_000 ? returnIn(calls) : null;
  const offset = clockOffset(calls.map(({ sample }) => sample));
  const resetUnit = unitOf(calls.find(({ sample }) => sample.reset !== null)?.sample.reset ?? null);
  const resetOf = (call: Call) => claimOf(call.sample.reset, resetUnit, call, offset);
  /** In seconds, or as a date (RFC 9110, 10.2.3). */
  const retryOf = (call: Call): Range | null => {
    const unit = unitOf(call.sample.retryAfter);
    return unit.startsWith('epoch') ? null : claimOf(call.sample.retryAfter, unit, call, offset);
  };
  return {
    seen,
    resetUnit,
    resetOf,
    /** Whether Reset named the moment at which calls were admitted again; null: there was no return, or nobody can tell. */
    resetAgrees: allAgree(calls, seen, resetOf),
    retryAfterAgrees: allAgree(calls, seen, retryOf),
  };
}

/**
 * Describes the headers of the calls of one key, in the order of sending. `limit`: the minute's, whose Reset is read where
 * a gateway's values stand beside it.
 */
export function describeHeaders(given: readonly Call[], windowMs: number, limit = NaN) {
  const calls = given.map((call) => ({ ...call, sample: headersOfLimit(call.sample, limit) ?? call.sample }));
  const text = (name: ShownHeader): string | null =>
    given.find((call) => call.sample[name] !== null)?.sample[name] ?? null;
  const { resetUnit, resetAgrees, retryAfterAgrees } = readingOf(calls, windowMs);
  const verdict = resetAgrees === null ? '' : `, and gave ${resetAgrees ? 'the right' : 'a wrong'} reset time`;
  const ofReset = resetUnit === 'absent' ? 'Reset is absent.' : `Reset reads as ${resetUnit}${verdict}.`;
  return {
    limit: text('limit'),
    remaining: text('remaining'),
    reset: text('reset'),
    retryAfter: text('retryAfter'),
    resetUnit,
    resetAgrees,
    retryAfterAgrees,
    says: retryAfterAgrees === false ? `${ofReset} Retry-After gave a wrong time.` : ofReset,
  };
}

/** Whether Reset named the moment of the return, and then an end of the next window that is a minute later. */
export function namesNextWindow(calls: readonly Call[], windowMs: number): boolean {
  const { seen, resetOf } = readingOf(calls, windowMs);
  const next = seen && resetOf(seen.back);
  return (
    seen !== null &&
    next !== null &&
    agrees(resetOf(seen.last), seen) === true &&
    next.from <= seen.back.to + windowMs &&
    next.to >= seen.last.from + windowMs
  );
}
