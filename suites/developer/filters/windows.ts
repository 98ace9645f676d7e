import type { JsonObject } from '../../../common/json.ts';
import { createTally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { instantsIn, startOf, startsIn, timestamp } from './booking-times.ts';
import { bookings, type Filter } from './filter.ts';
import { type Condition, type Part, type RecordSet, readSet } from './record-sets.ts';
import { judgeFilter } from './selects.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** The bookings export accepts from and to in every spelling, together and alone, and yields no others. */
export const judgeWindows: Check = async (session) => {
  const tally = createTally();
  for (const key of await keysOfBothEnvironments(session, bookings.endpoint)) {
    const { entries } = await readSet(session, bookings, { key });
    const rows = entries.map(({ row }) => row);
    await judgeFilter(session, tally, key, windowFilter(windowsAround(rows, session.clock.now())));
  }
  return tally.outcome();
};

/** A filter of bookings by windows. */
export const windowFilter = (conditions: readonly Condition[]): Filter => ({
  list: bookings,
  parameter: 'from and to',
  clause: 'developer.scheduling.bookings-window',
  conditions,
  isVocabulary: false,
});

/** The windows from an instant, and to it. */
export const windowsAt = (instant: number): readonly Condition[] => [
  windowOf('from alone', { from: timestamp(instant) }, anyRow),
  windowOf('to alone', { to: timestamp(instant) }, anyRow),
];

/** Which of its times counts is open, so that a booking does not show whether it is in a window in their midst. */
const anyRow: Partial<Condition> = { matches: () => 'unknown', expected: 'bookings in the window' };

/**
 * Few windows, in which each spelling of a timestamp occurs, each bound alone, and both together. Two are so near to
 * the last or the first booking that they show whether the time of day and the offset are read.
 */
function windowsAround(rows: readonly JsonObject[], now: number): readonly Condition[] {
  const shown = [...rows.flatMap(instantsIn).map(({ instant }) => instant), ...boundsIfUnread(rows, now)];
  const starts = rows.flatMap((row) => startOf(row) ?? []);
  const before = Math.min(...shown) - 2 * day;
  const after = Math.max(...shown) + 40 * day;
  const rightBefore = starts.length === 0 ? before : Math.min(...starts) - hour;
  const rightAfter = starts.length === 0 ? after : lastEnd(Math.max(...starts), shown) + 60_000;
  return [
    windowOf(
      'from and to before any booking began',
      { from: timestamp(before - day), to: timestamp(before, { milliseconds: false }) },
      { cause: 'from, to or both are ignored' },
    ),
    windowOf('to alone, before any booking began', { to: timestamp(before) }, { cause: 'to is ignored' }),
    windowOf(
      'from alone with an offset, a minute after the last booking ended',
      { from: timestamp(rightAfter, { offset: -11, milliseconds: false }) },
      { canBe: isExplained, cause: "The offset or the time of day of 'from' is ignored" },
    ),
    windowOf(
      'to alone with an offset, an hour before any booking began',
      // The local time is later than the first booking's: a deployment that ignores the offset shows that booking.
      { to: timestamp(rightBefore, { offset: 14, milliseconds: false }) },
      { canBe: isExplained, cause: "The offset or the time of day of 'to' is ignored" },
    ),
    windowOf(
      'from and to around every booking',
      // Wide enough for a time that bookings do not show: when they were made. The document does not say how long a
      // window may be.
      { from: timestamp(before - 300 * day), to: timestamp(after) },
      { ...anyRow, expected: 'every booking', canBe: isNotEmpty, mayBeRefused: true },
    ),
  ];
}

const windowOf = (what: string, query: Condition['query'], more: Partial<Condition>): Condition => ({
  query,
  label: `A window (${what})`,
  // A booking is surely out only where none of its times is in.
  matches: (row) => (instantsIn(row).some(({ instant }) => isIn(query, instant)) ? 'unknown' : false),
  expected: 'no bookings',
  ...more,
});

const isIn = ({ from = '', to = '' }: Condition['query'], instant: number): boolean =>
  !(instant < Date.parse(from) || instant > Date.parse(to));

/** No booking is older than the service, and none is made this long before it begins: five years. */
const [oldest, farthestAhead] = [Date.UTC(2006, 0, 1), 5 * 365 * day];

/**
 * The bounds between which bookings begin, where none shows its start, or not as a time that can be read. Other
 * instants do not say when it is: it may have been made months before.
 */
const boundsIfUnread = (rows: readonly JsonObject[], now: number): readonly number[] =>
  rows.some((row) => startsIn(row).length > 0) ? [] : [oldest, now + farthestAhead];

/** How long a booking lasts at most that does not show when it ends: a window that begins meanwhile may contain it. */
const longestBooking = 2 * hour;

/** When the last booking ends: at the latest time shown within half a day of its start, which may be its end. */
function lastEnd(start: number, shown: readonly number[]): number {
  const ends = shown.filter((instant) => instant > start && instant < start + day / 2);
  return ends.length > 0 ? Math.max(...ends) : start + longestBooking;
}

const isNotEmpty = (part: Part, whole: RecordSet): boolean => part.length > 0 || whole.length === 0;

/**
 * Whether a window's list is empty, or there is a field such that it has exactly the bookings whose value of that
 * field is in the window. That takes a complete list: bookings of further pages may rightly be in the window.
 */
function isExplained({ condition, entries }: Part, whole: RecordSet): boolean {
  const yielded = new Set(entries.map(({ id }) => id));
  const shown = whole.entries.map(({ id, row }) => ({ id, instants: instantsIn(row) }));
  const fields = new Set(shown.flatMap(({ instants }) => instants.map(({ field }) => field)));
  const explains = (field: string): boolean =>
    shown.every(
      ({ id, instants }) =>
        yielded.has(id) === instants.some((one) => one.field === field && isIn(condition.query, one.instant)),
    );
  return entries.length === 0 || !whole.isComplete || [...fields].some(explains);
}
