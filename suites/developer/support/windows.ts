import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { expectAccepted, findingOn } from '../../engine/expect.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { type Times, timesOf, timestamp } from './booking-times.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { type Listed, readList, rowsOf, vocabularies } from './filtered.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A window, and what is known of the bookings in it. */
interface Window {
  readonly says: string;
  readonly query: Readonly<Record<string, string>>;
  /** Nobody knows how long a window may be: one that holds everything may be refused. */
  readonly holds: 'none' | 'none, if the start was read' | 'all';
}

/** Each spelling of a timestamp, each bound alone and both together, on few windows. */
function windowsFor({ earliest, latest, starts }: Times): readonly Window[] {
  const begun = Math.min(...starts.flatMap((start) => start ?? []), latest);
  const [start, before, after] = [Math.max(begun, earliest) - hour, earliest - 2 * day, latest + 40 * day];
  return [
    {
      says: 'from and to before any booking began',
      query: { from: timestamp(before - day), to: timestamp(before, { milliseconds: false }) },
      holds: 'none',
    },
    {
      says: 'from alone, after any booking',
      query: { from: timestamp(after, { offset: -11, milliseconds: false }) },
      holds: 'none',
    },
    { says: 'to alone, before any booking began', query: { to: timestamp(before) }, holds: 'none' },
    // At an offset at which the local time is later than the first booking's: who ignores the offset shows that one.
    {
      says: 'to alone with an offset, an hour before any booking began',
      query: { to: timestamp(start, { offset: 14, milliseconds: false }) },
      holds: 'none, if the start was read',
    },
    {
      says: 'from and to around every booking',
      query: { from: timestamp(before), to: timestamp(after) },
      holds: 'all',
    },
  ];
}

/** Where bookings show no time: days on which no service was there yet, and days far enough ahead. */
const unknownTimes = (now: number): Times => ({
  earliest: Date.UTC(2006, 0, 1),
  latest: now + 5 * 365 * day,
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
  const whole = await readList(session, vocabularies.bookings, { key });
  const windows = windowsFor(timesOf(rowsOf(whole)) ?? unknownTimes(session.clock.now()));
  const known = whole.list === undefined ? {} : { known: whole.list };
  const look = (query: Window['query']): Promise<Listed> =>
    readList(session, vocabularies.bookings, { key, query, ...known });
  const seen = await Promise.all(windows.map(async (window) => ({ window, listed: await look(window.query) })));
  if (whole.length === 0) {
    tally.leaveOpen(nothingIn(whole, key));
  }
  for (const { window, listed } of seen) {
    if (!listed.answer.accepted) {
      // A window that holds everything may be too long.
      tally.judge(
        ...(window.holds === 'all' ? [] : [expectAccepted(listed.answer, `Window is not taken (${window.says})`)]),
      );
    } else if (whole.length > 0) {
      await judgeRows(tally, whole, { window, listed }, look);
    }
  }
}

async function judgeRows(
  tally: Tally,
  whole: Listed,
  { window, listed }: { readonly window: Window; readonly listed: Listed },
  look: (query: Window['query']) => Promise<Listed>,
): Promise<void> {
  if (window.holds === 'all') {
    // Without a list nothing shows whether it is empty.
    const isEmpty = listed.list !== undefined && listed.length === 0;
    tally.judge(
      isEmpty
        ? findingOn(listed.answer, {
            message: 'Window that covers every booking yields none',
            expected: `${whole.length} bookings, as without a window`,
            actual: 'none',
          })
        : null,
    );
    return;
  }
  const isRight = listed.length === 0 || (window.holds !== 'none' && (await isSameInUtc(window, listed, look)));
  tally.judge(
    isRight
      ? null
      : findingOn(listed.answer, {
          message: `Window yields ${listed.length} of ${whole.length} bookings (${window.says})`,
          expected: 'no bookings',
          actual: `${listed.length} bookings`,
          cause: window.holds === 'none' ? 'from, to or both are ignored' : 'The offset of the timestamp is ignored',
        }),
  );
}

/** Which field is the beginning may have been misread: then the same instant in UTC yields bookings too, as many. */
async function isSameInUtc({ query }: Window, { length }: Listed, look: (query: Window['query']) => Promise<Listed>) {
  const utc = await look(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, timestamp(Date.parse(value))])),
  );
  return utc.answer.accepted && utc.length === length;
}

function nothingIn({ answer }: Listed, { environment }: ApiKey): ReturnType<typeof findingOn> {
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
