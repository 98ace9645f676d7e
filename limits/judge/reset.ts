// What Reset and Retry-After mean, and whether they name the moment at which calls are admitted again.
import { firstNumber, headersOfLimit } from './headers.ts';
import { type Call, type Range, type Return, returnIn, type Sample } from './trace.ts';

type ResetUnit = 'epoch seconds' | 'epoch milliseconds' | 'seconds left' | 'date' | 'unknown' | 'absent';

type ShownHeader = 'limit' | 'remaining' | 'reset' | 'retryAfter';

/** An example of each header as it came, its unit, and whether it named the moment of the return. */
export interface HeadersVerdict extends Pick<Sample, ShownHeader> {
  readonly resetUnit: ResetUnit;
  /**
   * Whether Reset named the moment at which calls were admitted again; null if there was no return, or it cannot be
   * judged.
   */
  readonly resetAgrees: boolean | null;
  readonly retryAfterAgrees: boolean | null;
  readonly says: string;
}

/**
 * The server's clock minus the client's, as a range in ms, from Date headers; null if there are none, or they
 * contradict each other.
 */
function clockOffset(samples: readonly Sample[]): Range | null {
  let [from, to] = [-Infinity, Infinity];
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
export function unitOf(text: string | null): ResetUnit {
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

/** The instant that a Reset or a Retry-After of a call names, on the client's clock, give or take its rounding. */
function claimOf(text: string | null, { from, to }: Range, offset: Range | null): Range | null {
  const unit = unitOf(text);
  if (text === null || unit === 'unknown') {
    return null;
  }
  const value = firstNumber(text) ?? NaN;
  if (unit === 'seconds left') {
    return { from: from + value * 1000 - roundingMs, to: to + value * 1000 + roundingMs };
  }
  const ms = unit === 'date' ? Date.parse(text) : unit === 'epoch seconds' ? value * 1000 : value;
  return offset === null ? null : { from: ms - offset.to - roundingMs, to: ms - offset.from + roundingMs };
}

const roundingMs = 1000;

const agrees = (claim: Range | null, seen: Return | null): boolean | null =>
  claim === null || seen === null ? null : claim.from <= seen.back.to && claim.to >= seen.last.from;

/** Whether each refusal before the return named it: who says one second all along is right with the last one only. */
function allAgree(calls: readonly Call[], { seen, offset }: Reading): boolean | null {
  const refused = calls.filter(({ outcome, from }) => outcome === 'refused' && from <= (seen?.last.from ?? -Infinity));
  const all = refused.map((call) => {
    const { retryAfter } = call.sample;
    // In seconds, or as a date (RFC 9110, 10.2.3).
    return unitOf(retryAfter).startsWith('epoch') ? null : agrees(claimOf(retryAfter, call, offset), seen);
  });
  return all.includes(false) ? false : (all.find((one) => one !== null) ?? null);
}

/** The return, and which instant Reset names on a call, such as the last one before that. */
function readingOf(calls: readonly Call[]) {
  const seen = returnIn(calls);
  const offset = clockOffset(calls.map(({ sample }) => sample));
  const resetOf = (call: Call): Range | null => claimOf(call.sample.reset, call, offset);
  return { seen, offset, resetOf, namesReturn: seen && agrees(resetOf(seen.last), seen) };
}

type Reading = ReturnType<typeof readingOf>;

/** Times in headers can be judged only in real time: if windows pass faster (CLOCK_SPEED), they may count either clock. */
const isRealTime = (windowMs: number): boolean => windowMs === 60_000;

/**
 * Describes the headers of the calls of one key, in the order of sending. `limit`: the minute's, whose Reset is read where
 * a gateway's values stand beside it.
 */
export function describeHeaders(given: readonly Call[], windowMs: number, limit = NaN): HeadersVerdict {
  const calls = given.map((call) => ({ ...call, sample: headersOfLimit(call.sample, limit) ?? call.sample }));
  const text = (all: readonly Call[], name: ShownHeader): string | null =>
    all.find((call) => call.sample[name] !== null)?.sample[name] ?? null;
  const reading = readingOf(calls);
  const resetUnit = unitOf(text(calls, 'reset'));
  const resetAgrees = isRealTime(windowMs) ? reading.namesReturn : null;
  const retryAfterAgrees = isRealTime(windowMs) ? allAgree(calls, reading) : null;
  const verdict = resetAgrees === null ? '' : `, and gave ${resetAgrees ? 'the right' : 'a wrong'} reset time`;
  const ofReset = resetUnit === 'absent' ? 'Reset is absent.' : `Reset reads as ${resetUnit}${verdict}.`;
  return {
    limit: text(given, 'limit'),
    remaining: text(given, 'remaining'),
    reset: text(given, 'reset'),
    retryAfter: text(given, 'retryAfter'),
    resetUnit,
    resetAgrees,
    retryAfterAgrees,
    says: retryAfterAgrees === false ? `${ofReset} Retry-After gave a wrong time.` : ofReset,
  };
}

/** Whether Reset named the moment of the return, and then an end of the next window that is a minute later. */
export function namesNextWindow(calls: readonly Call[], windowMs: number): boolean {
  const { seen, resetOf, namesReturn } = readingOf(calls);
  const next = seen && resetOf(seen.back);
  return (
    isRealTime(windowMs) &&
    namesReturn === true &&
    next !== null &&
    next.from <= (seen as Return).back.to + windowMs &&
    next.to >= (seen as Return).last.from + windowMs
  );
}
