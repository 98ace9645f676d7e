import { show } from '../../../../common/schema.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import type { Check } from '../../../engine/check.ts';
import { expectAccepted, findingOn, judgeThat } from '../../../engine/expect.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { keysOfBothEnvironments } from '../data/environments.ts';
import { type Shown, shownIn, type Times, timesOf, timestamp } from './booking-times.ts';
import { type Entry, type FetchedList, readList, vocabularies } from './filter-lists.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A window: bounds, epoch milliseconds, and how they are spelled. */
interface Window {
  readonly says: string;
  readonly query: Readonly<Record<string, string>>;
  readonly from: number;
  readonly to: number;
  /** Every booking that is known lies in it. Nobody knows how long a window may be: such a one may be refused. */
  readonly holdsAll?: true;
  /** So near to the first booking, or to the last, that only the field tells which was read. */
  readonly isSharp?: true;
}

/** Each spelling of a timestamp, each bound alone and both together, on few windows. */
function windowsFor({ shown, starts }: Times): readonly Window[] {
  const begun = starts.flatMap((start) => start ?? []);
  const [before, after] = [Math.min(...shown) - 2 * day, Math.max(...shown) + 40 * day];
  const sharp = begun.length === 0 ? before : Math.min(...begun) - hour;
  const sharpAfter = begun.length === 0 ? after : lastEnd(Math.max(...begun), shown) + minute;
  return [
    {
      says: 'from and to before any booking began',
      query: { from: timestamp(before - day), to: timestamp(before, { milliseconds: false }) },
      from: before - day,
      to: before,
    },
    {
      says: 'from alone with an offset, a minute after the last booking ended',
      query: { from: timestamp(sharpAfter, { offset: -11, milliseconds: false }) },
      from: sharpAfter,
      to: Infinity,
      isSharp: true,
    },
    { says: 'to alone, before any booking began', query: { to: timestamp(before) }, from: -Infinity, to: before },
    // At an offset at which the local time is later than the first booking's: who ignores the offset shows that one.
    {
      says: 'to alone with an offset, an hour before any booking began',
      query: { to: timestamp(sharp, { offset: 14, milliseconds: false }) },
      from: -Infinity,
      to: sharp,
      isSharp: true,
    },
    {
      says: 'from and to around every booking',
      // Wide enough for a time that bookings do not show: when they were made.
      query: { from: timestamp(before - 300 * day), to: timestamp(after) },
      from: before - 300 * day,
      to: after,
      holdsAll: true,
    },
  ];
}

/** A booking that does not show when it ended lasts so long at most: it may be in a window that begins while it goes on. */
const longest = 2 * hour;

/** When the last booking ended, whichever of the times that it shows says so: who reads the day alone shows it even then. */
function lastEnd(start: number, shown: readonly number[]): number {
  const ends = shown.filter((instant) => instant > start && instant < start + day / 2);
  return ends.length > 0 ? Math.max(...ends) : start + longest;
}

/** Where bookings show no time: days on which no service was there yet, and days far enough ahead. */
const unknownTimes = (now: number): Times => ({
  shown: [Date.UTC(2006, 0, 1), now + 5 * 365 * day],
  starts: [],
});

/** from and to of the export of bookings: taken in every documented spelling, together and alone, and kept. */
export const judgeWindows: Check = async (session): Promise<Outcome> => {
  const tally = createTally();
  for (const key of await keysOfBothEnvironments(session, vocabularies.bookings.endpoint)) {
    await judgeIn(session, tally, key);
  }
  return tally.outcome();
};

async function judgeIn(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const unfiltered = await readList(session, vocabularies.bookings, { key });
  const windows = windowsFor(timesOf(unfiltered.entries.map(({ row }) => row)) ?? unknownTimes(session.clock.now()));
  const { pointer } = unfiltered;
  const look = ({ query }: Window) => readList(session, vocabularies.bookings, { key, query, pointer });
  const seen = await Promise.all(windows.map(async (window) => ({ window, listed: await look(window) })));
  if (unfiltered.length === 0) {
    tally.leaveOpen(nothingIn(unfiltered, key));
  }
  for (const { window, listed } of seen) {
    if (listed.answer.accepted) {
      judgeRows(tally, unfiltered, window, listed);
    } else if (unfiltered.answer.accepted && window.holdsAll === undefined) {
      // What the export gets without a window too is the matter of its own clause, and one that holds all may be too long.
      tally.judge(expectAccepted(listed.answer, `Window is not accepted (${window.says})`));
    }
  }
}

function judgeRows(tally: Tally, unfiltered: FetchedList, window: Window, listed: FetchedList): void {
  if (unfiltered.length === 0) {
    return;
  }
  if (window.holdsAll) {
    // Without a list nothing shows whether it is empty.
    const isEmpty = listed.pointer !== undefined && listed.length === 0;
    judgeThat(tally, !isEmpty, listed.answer, {
      message: 'Window that covers every booking yields none',
      expected: `${unfiltered.length} bookings, as without a window`,
      actual: 'none',
    });
    return;
  }
  const [stray] = straysIn(unfiltered, window, listed);
  tally.judge(
    stray === undefined
      ? null
      : findingOn(listed.answer, {
          message: `Window yields ${listed.length} of ${unfiltered.length} bookings (${window.says})`,
          expected: 'no bookings',
          actual: show(stray.row),
          cause: window.isSharp
            ? `The offset or the time of day of '${Object.keys(window.query)[0]}' is not read`
            : 'from, to or both are ignored',
        }),
  );
}

/**
 * Bookings that a window yields and that lie outside it, whichever of the times that they show is meant; and near the first
 * one or the last, all that it yields where no field says why. Others, of further pages, may be right.
 */
function straysIn(unfiltered: FetchedList, window: Window, listed: FetchedList): readonly Entry[] {
  const isOutside = ({ row }: Entry): boolean =>
    shownIn(row).every(({ instant }) => instant < window.from || instant > window.to);
  const strays = listed.entries.filter(isOutside);
  const isUnexplained = window.isSharp && unfiltered.isComplete && !isExplained(unfiltered, window, listed);
  return strays.length === 0 && isUnexplained ? listed.entries : strays;
}

/** Whether the window yields exactly the bookings whose value of some field lies in it. */
function isExplained(unfiltered: FetchedList, { from, to }: Window, listed: FetchedList): boolean {
  const yielded = new Set(listed.entries.map(({ id }) => id));
  const times = unfiltered.entries.map(({ id, row }) => ({ id, shown: shownIn(row) }));
  const fields = new Set(times.flatMap(({ shown }) => shown.map(({ field }) => field)));
  const isIn = (field: string, shown: readonly Shown[]): boolean =>
    shown.some((one) => one.field === field && one.instant >= from && one.instant <= to);
  return [...fields].some((field) => times.every(({ id, shown }) => yielded.has(id) === isIn(field, shown)));
}

function nothingIn({ answer }: FetchedList, { environment }: ApiKey): Finding {
  return findingOn(answer, {
    message: `${vocabularies.bookings.endpoint} shows no bookings, so an empty window would look the same`,
    ...(answer.accepted
      ? {
          cause: 'Bookings shown as a list of objects would decide it',
          ...(environment === 'live' ? {} : { blames: 'developer.sandbox.data' }),
        }
      : { blames: 'developer.scheduling.bookings' }),
  });
}
