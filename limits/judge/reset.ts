// What Reset and Retry-After mean, and whether they name the moment at which calls are admitted again.
import { firstNumber, headersOfLimit } from './headers.ts';
import { type Call, type Range, type Return, returnIn, type Sample } from './trace.ts';

type ResetUnit =
  | 'epoch seconds'
  | 'epoch milliseconds'
  | 'seconds left'
  | 'milliseconds left'
  | 'date'
  | 'unknown'
  | 'absent';

/** How Reset changes over time: it names one instant, counts down to it, or moves ahead with each call. */
type ResetMotion = 'fixed' | 'counts down' | 'moves ahead' | 'unknown';

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

/**
 * The server's clock minus the client's, as a range in ms, from Date headers; null if there are none, or they
 * contradict each other.
 */
export function clockOffset(samples: readonly Sample[]): Range | null {
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
function unitOf(text: string): ResetUnit {
  if (/[A-Za-z]{3}|\d{4}-\d\d-\d\d/.test(text)) {
    return Number.isNaN(Date.parse(text)) ? 'unknown' : 'date';
  }
  const value = firstNumber(text);
  if (value === null) {
    return 'unknown';
  }
  return value > 1e11 ? 'epoch milliseconds' : value > 1e8 ? 'epoch seconds' : 'seconds left';
}

/** The value of Reset in ms, if it has that unit. */
function msIn({ reset }: Sample, unit: ResetUnit): number | null {
  if (reset === null || unit === 'date') {
    return reset === null ? null : Date.parse(reset);
  }
  const value = firstNumber(reset);
  return value === null || unit.includes('milliseconds') ? value : value * 1000;
}

interface ResetReading {
  readonly unit: ResetUnit;
  readonly motion: ResetMotion;
}

/** Finds out the unit of Reset from its size and from how it changes between two calls of one window. */
export function readReset(first: Sample, last: Sample): ResetReading {
  const suggested = first.reset === null ? 'absent' : unitOf(first.reset);
  const [a, b] = [msIn(first, suggested), msIn(last, suggested)];
  if (suggested === 'absent' || suggested === 'unknown' || a === null) {
    return { unit: suggested, motion: 'unknown' };
  }
  const elapsed = last.sentAt - first.sentAt;
  const rise = elapsed < 2000 || b === null ? null : (b - a) / elapsed;
  const isLeft = suggested === 'seconds left';
  // Without a rise to go by, a value longer than a day in seconds is taken for milliseconds.
  const isInMs = isLeft && (rise === null ? a > 86_400_000 : rise < -500);
  /** How far the instant that Reset names moves in a millisecond. */
  const drift = rise === null ? NaN : isLeft ? rise / (isInMs ? 1000 : 1) + 1 : rise;
  const still = isLeft ? 'counts down' : 'fixed';
  const motion = Math.abs(drift) < 0.4 ? still : Math.abs(drift - 1) < 0.4 ? 'moves ahead' : 'unknown';
  return { unit: isInMs ? 'milliseconds left' : suggested, motion };
}

const roundingMs = 1000;

/** The instant that a sample's Reset names, on the client's clock, give or take its rounding; null if that is unknown. */
function resetClaim(sample: Sample, { unit }: ResetReading, offset: Range | null): Range | null {
  const ms = msIn(sample, unit);
  if (ms === null || unit === 'unknown') {
    return null;
  }
  if (unit.endsWith('left')) {
    return { from: sample.sentAt + ms - roundingMs, to: sample.receivedAt + ms + roundingMs };
  }
  return instantAt(ms, offset);
}

/** An instant of the server's clock on the client's, give or take its rounding. */
const instantAt = (ms: number, offset: Range | null): Range | null =>
  offset === null ? null : { from: ms - offset.to - roundingMs, to: ms - offset.from + roundingMs };

/** The instant that Retry-After names: in seconds, or as a date (RFC 9110, 10.2.3). */
function retryClaim({ from, to, sample }: Call, offset: Range | null): Range | null {
  if (unitOf(sample.retryAfter ?? '') === 'date') {
    return instantAt(Date.parse(sample.retryAfter ?? ''), offset);
  }
  const seconds = firstNumber(sample.retryAfter);
  return seconds === null || seconds > 1e8
    ? null
    : { from: from + seconds * 1000 - roundingMs, to: to + seconds * 1000 + roundingMs };
}

const agrees = (claim: Range | null, seen: Return | null): boolean | null =>
  claim === null || seen === null ? null : claim.from <= seen.back.to && claim.to >= seen.last.from;

/** Whether each refusal before the return named it: who says one second all along is right with the last one only. */
function allAgree(calls: readonly Call[], { seen, offset }: Reading): boolean | null {
  const refused = calls.filter(({ outcome, from }) => outcome === 'refused' && from <= (seen?.last.from ?? -Infinity));
  const all = refused.map((call) => agrees(retryClaim(call, offset), seen));
  return all.includes(false) ? false : (all.find((one) => one !== null) ?? null);
}

/**
 * What Reset means, read from two calls of one window that are as far apart as possible, the first refusal and the last
 * before the return; and which instant it names on a call. null: no call was answered.
 */
function readingOf(calls: readonly Call[]) {
  const seen = returnIn(calls);
  const refused = calls.filter((call) => call.outcome === 'refused' && call.sample.reset !== null);
  const first = refused[0] ?? calls[0];
  const last = seen?.last ?? refused.at(-1) ?? calls.at(-1);
  if (first === undefined || last === undefined) {
    return null;
  }
  const reading = readReset(first.sample, last.sample);
  const offset = clockOffset(calls.map(({ sample }) => sample));
  const claimOf = ({ sample }: Call): Range | null => resetClaim(sample, reading, offset);
  return { reading, seen, offset, claimOf, namesReturn: agrees(claimOf(last), seen) };
}

type Reading = Pick<NonNullable<ReturnType<typeof readingOf>>, 'seen' | 'offset'>;

/** Times in headers can be judged only in real time: if windows pass faster (CLOCK_SPEED), they may count either clock. */
const isRealTime = (windowMs: number): boolean => windowMs === 60_000;

/**
 * Describes the headers of the calls of one key, in the order of sending. `limit`: the minute's, whose Reset is read where
 * a gateway's values stand beside it.
 */
export function describeHeaders(given: readonly Call[], windowMs: number, limit = NaN): HeadersVerdict {
  const calls = given.map((call) => ({ ...call, sample: headersOfLimit(call.sample, limit) ?? call.sample }));
  const text = (name: ShownHeader): string | null =>
    given.find((call) => call.sample[name] !== null)?.sample[name] ?? null;
  const shown = {
    limit: text('limit'),
    remaining: text('remaining'),
    reset: text('reset'),
    retryAfter: text('retryAfter'),
  };
  const read = readingOf(calls);
  if (read === null) {
    const unknown = { resetUnit: 'absent', resetMotion: 'unknown', resetAgrees: null, retryAfterAgrees: null } as const;
    return { ...shown, ...unknown, says: 'No call was answered.' };
  }
  const { unit, motion } = read.reading;
  const resetAgrees = isRealTime(windowMs) ? read.namesReturn : null;
  const retryAfterAgrees = isRealTime(windowMs) ? allAgree(calls, read) : null;
  const verdict = resetAgrees === null ? '' : `, and gave ${resetAgrees ? 'the right' : 'a wrong'} reset time`;
  const ofReset = shown.reset === null ? 'Reset is absent.' : `Reset reads as ${unit} (${motion})${verdict}.`;
  const says = retryAfterAgrees === false ? `${ofReset} Retry-After gave a wrong time.` : ofReset;
  return { ...shown, resetUnit: unit, resetMotion: motion, resetAgrees, retryAfterAgrees, says };
}

/** Whether Reset named the moment of the return, and then an end of the next window that is a minute later. */
export function namesNextWindow(calls: readonly Call[], windowMs: number): boolean {
  const read = readingOf(calls);
  const next = read?.seen && read.claimOf(read.seen.back);
  if (!read?.seen || !next || !isRealTime(windowMs) || read.namesReturn !== true) {
    return false;
  }
  return next.from <= read.seen.back.to + windowMs && next.to >= read.seen.last.from + windowMs;
}
