import { canonical } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import type { Check } from '../../../engine/check.ts';
import { expectAccepted, findingOn, judgeThat } from '../../../engine/expect.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { keysOfBothEnvironments } from '../data/environments.ts';
import { type BookingTimes, instantsIn, timesOf, timestamp } from './booking-times.ts';
import { type Entry, type FetchedList, readList, vocabularies } from './filter-lists.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A window of the export: bounds, epoch milliseconds, and how they are spelled. */
interface Window {
  readonly label: string;
  readonly query: Readonly<Record<string, string>>;
  readonly from: number;
  readonly to: number;
  /** Every known booking is in it. It may be refused, since the document does not say how long a window may be. */
  readonly coversAll?: true;
  /** It is so near to the last or the first booking that the field matters which the deployment compares with it. */
  readonly isTight?: true;
}

/** Few windows, in which each spelling of a timestamp occurs, each bound alone, and both together. */
function windowsFor({ shown, starts }: BookingTimes): readonly Window[] {
  const begun = starts.flatMap((start) => start ?? []);
  const before = Math.min(...shown) - 2 * day;
  const after = Math.max(...shown) + 40 * day;
  const rightBefore = begun.length === 0 ? before : Math.min(...begun) - hour;
  const rightAfter = begun.length === 0 ? after : lastEnd(Math.max(...begun), shown) + minute;
  return [
    {
      label: 'from and to before any booking began',
      query: { from: timestamp(before - day), to: timestamp(before, { milliseconds: false }) },
      from: before - day,
      to: before,
    },
    {
      label: 'from alone with an offset, a minute after the last booking ended',
      query: { from: timestamp(rightAfter, { offset: -11, milliseconds: false }) },
      from: rightAfter,
      to: Infinity,
      isTight: true,
    },
    { label: 'to alone, before any booking began', query: { to: timestamp(before) }, from: -Infinity, to: before },
    {
      label: 'to alone with an offset, an hour before any booking began',
      // The local time is later than the first booking's: a deployment that ignores the offset shows that booking.
      query: { to: timestamp(rightBefore, { offset: 14, milliseconds: false }) },
      from: -Infinity,
      to: rightBefore,
      isTight: true,
    },
    {
      label: 'from and to around every booking',
      // Wide enough for a time that bookings do not show: when they were made.
      query: { from: timestamp(before - 300 * day), to: timestamp(after) },
      from: before - 300 * day,
      to: after,
      coversAll: true,
    },
  ];
}

/** How long a booking lasts at most that does not show when it ends: a window that begins meanwhile may contain it. */
const longestBooking = 2 * hour;

/** When the last booking ends: at the latest time shown within half a day of its start, which may be its end. */
function lastEnd(start: number, shown: readonly number[]): number {
  const ends = shown.filter((instant) => instant > start && instant < start + day / 2);
  return ends.length > 0 ? Math.max(...ends) : start + longestBooking;
}

/** The bookings export accepts from and to in every spelling, together and alone, and yields no others. */
export const judgeWindows: Check = async (session): Promise<Outcome> => {
  const tally = createTally();
  for (const key of await keysOfBothEnvironments(session, vocabularies.bookings.endpoint)) {
    await judgeWithKey(session, tally, key);
  }
  return tally.outcome();
};

async function judgeWithKey(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const unfiltered = await readList(session, vocabularies.bookings, { key });
  const { pointer } = unfiltered;
  const rows = unfiltered.entries.map(({ row }) => row);
  const windows = await Promise.all(
    windowsFor(timesOf(rows, session.clock.now())).map(async (window) => ({
      window,
      list: await readList(session, vocabularies.bookings, { key, query: window.query, pointer }),
    })),
  );
  if (unfiltered.length === 0) {
    tally.leaveOpen(nothingToCompare(unfiltered, key));
  }
  for (const { window, list } of windows) {
    if (list.answer.accepted) {
      await judgeRows(session, tally, { key, unfiltered, window, list });
    } else if (unfiltered.answer.accepted && window.coversAll === undefined) {
      // A status that the export gets without a window too is judged by its own clause.
      tally.judge(expectAccepted(list.answer, `A window was rejected (${window.label})`));
    }
  }
}

/** A window, its list, and the list without a window, all read with one key. */
interface WindowList {
  readonly key: ApiKey;
  readonly unfiltered: FetchedList;
  readonly window: Window;
  readonly list: FetchedList;
}

async function judgeRows(session: Session, tally: Tally, read: WindowList): Promise<void> {
  const { unfiltered, window, list } = read;
  if (unfiltered.length === 0) {
    return;
  }
  if (window.coversAll) {
    await judgeWide(session, tally, read);
    return;
  }
  const [stray] = await lastingStrays(session, read);
  tally.judge(
    stray === undefined
      ? null
      : findingOn(list.answer, {
          message: `A window before all bookings returned ${list.length} of ${unfiltered.length} (${window.label})`,
          expected: 'no bookings',
          actual: show(stray.row),
          cause: window.isTight
            ? `The offset or the time of day of '${Object.keys(window.query)[0]}' is ignored`
            : 'from, to or both are ignored',
        }),
  );
}

/** A window that covers every booking yields some. Where it yields none, both lists are read again: bookings change. */
async function judgeWide(session: Session, tally: Tally, { key, unfiltered, window, list }: WindowList): Promise<void> {
  // Where no list can be found, nothing shows whether it is empty.
  const isEmpty = ({ pointer, length }: FetchedList): boolean => pointer !== undefined && length === 0;
  const { pointer } = unfiltered;
  const again = isEmpty(list)
    ? await readList(session, vocabularies.bookings, { key, query: window.query, pointer, isFresh: true })
    : list;
  const last = again.answer.accepted ? again : list;
  const all = isEmpty(last) ? await readList(session, vocabularies.bookings, { key, isFresh: true }) : unfiltered;
  if (all.length === 0) {
    tally.leaveOpen(nothingToCompare(all, key));
    return;
  }
  judgeThat(tally, !isEmpty(last), last.answer, {
    message: 'A window that covers every booking returned none',
    expected: `${all.length} bookings, as without a window`,
    actual: 'none',
  });
}

/**
 * The strays that last for KEY_SETTLE_MS, among the bookings that are the same before and after the window is read
 * again: bookings may change while a run goes on.
 */
async function lastingStrays(session: Session, read: WindowList): Promise<readonly Entry[]> {
  const strays = straysIn(read);
  if (strays.length === 0) {
    return strays;
  }
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const { key, window } = read;
  const unfiltered = await readList(session, vocabularies.bookings, { key, isFresh: true });
  const reading = { key, query: window.query, pointer: unfiltered.pointer, isFresh: true };
  const list = await readList(session, vocabularies.bookings, reading);
  const after = await readList(session, vocabularies.bookings, { key, isFresh: true });
  if (!list.answer.accepted) {
    return strays;
  }
  const rowsOf = ({ entries }: FetchedList): ReadonlyMap<string, string> =>
    new Map(entries.map(({ id, row }) => [id, canonical(row)]));
  const [earlier, later] = [rowsOf(unfiltered), rowsOf(after)];
  const isLasting = ({ id }: Entry): boolean => earlier.get(id) === later.get(id);
  const again = straysIn({
    ...read,
    unfiltered: { ...unfiltered, entries: unfiltered.entries.filter(isLasting) },
    list: { ...list, entries: list.entries.filter(isLasting) },
  });
  return strays.filter(({ id }) => again.some((one) => one.id === id));
}

/**
 * Bookings that a window yields although none of their times is in it. Of a tight window every booking is one where no
 * field explains what it yields. That takes a complete unfiltered list: bookings of further pages may rightly be in the
 * window.
 */
function straysIn({ unfiltered, window, list }: WindowList): readonly Entry[] {
  const isOutside = ({ row }: Entry): boolean =>
    instantsIn(row).every(({ instant }) => instant < window.from || instant > window.to);
  const strays = list.entries.filter(isOutside);
  const isUnexplained = window.isTight && unfiltered.isComplete && !isExplained(unfiltered, window, list);
  return strays.length === 0 && isUnexplained ? list.entries : strays;
}

/** Whether there is a field such that the window yields exactly the bookings whose value of that field is in it. */
function isExplained(unfiltered: FetchedList, { from, to }: Window, list: FetchedList): boolean {
  const yielded = new Set(list.entries.map(({ id }) => id));
  const bookings = unfiltered.entries.map(({ id, row }) => ({ id, instants: instantsIn(row) }));
  const fields = new Set(bookings.flatMap(({ instants }) => instants.map(({ field }) => field)));
  return [...fields].some((field) =>
    bookings.every(({ id, instants }) => {
      const isInside = instants.some((one) => one.field === field && one.instant >= from && one.instant <= to);
      return yielded.has(id) === isInside;
    }),
  );
}

function nothingToCompare({ answer }: FetchedList, { environment }: ApiKey): Finding {
  const message = `${vocabularies.bookings.endpoint} lists no bookings, so windows cannot be judged`;
  if (!answer.accepted) {
    return findingOn(answer, { message, blames: 'developer.scheduling.bookings' });
  }
  return findingOn(answer, {
    message,
    advice: 'Run against a deployment that lists some bookings as objects',
    ...(environment === 'live' ? {} : { blames: 'developer.sandbox.data' }),
  });
}
