import { endpointOf } from '../../contract/endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer, expectAccepted, findingOn } from '../engine/expect.ts';
import { rowsIn } from '../reading/rows.ts';
import { read } from '../records/reads.ts';
import type { ApiKey } from '../session/call.ts';
import { type Session, send } from '../session/session.ts';
import { inBothEnvironments, keysOfBothEnvironments } from './environments.ts';
import { type Filter, leads, vocabularies, windowsAmid } from './filters/documented.ts';
import { lastingTroubles, troublesOf } from './filters/judge.ts';
import { type Condition, type Entry, has, isUncut, type ListSets, type Part, readSets } from './filters/lists.ts';

/** Filters: two at once, and what the documents leave open. */
export const filters: Checks = {
  'developer.filters.combined': inBothEnvironments(leads.endpoint, judgeLeads, judgeBookings),

  'developer.filters.unknown-value': async (session) => {
    const rows = await Promise.all(
      Object.values(vocabularies).map(
        async (filter) => [`${filter.list.endpoint}?${filter.parameter}`, await unknownValue(session, filter)] as const,
      ),
    );
    return Object.fromEntries(rows);
  },
};

/** Leads by status and source at once. */
async function judgeLeads(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const statuses = await readAlone(session, key, vocabularies.leads);
  await judgeCombined(session, tally, key, [statuses, await readAlone(session, key, vocabularies.sources)]);
}

/** Bookings by status and from, and by status and to: the instant lies in the middle of the bookings of one status. */
async function judgeBookings(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const statuses = await readAlone(session, key, vocabularies.bookings);
  const usable = statuses.usable.toSorted((a, b) => b.entries.length - a.entries.length).slice(0, 1);
  const { entries } = usable[0] ?? statuses.whole;
  const windows = await readAlone(session, key, windowsAmid(entries.map(({ row }) => row)));
  await judgeCombined(session, tally, key, [{ ...statuses, usable }, windows]);
}

/**
 * Reads a list by a filter alone. `usable`: the conditions that are accepted and hold; `blames`: the clause that keeps
 * some from it.
 */
async function readAlone(session: Session, key: ApiKey, filter: Filter) {
  const sets = await readSets(session, filter.list, filter.conditions, { key });
  const troubles = troublesOf(sets, filter.isVocabulary);
  const usable = sets.parts.filter(({ answer }, index) => answer.accepted && troubles[index] === null);
  const blames = usable.length < sets.parts.length ? filter.clause : undefined;
  return { ...sets, usable, blames: sets.whole.answer.accepted ? blames : endpointOf(filter.list.endpoint).clause };
}
type Alone = Awaited<ReturnType<typeof readAlone>>;

/** Two filters at once yield what both alone have in common: each condition of the second with one of the first. */
async function judgeCombined(
  session: Session,
  tally: Tally,
  key: ApiKey,
  [one, other]: readonly [Alone, Alone],
): Promise<void> {
  const { list, whole } = one;
  const pairs = other.usable.flatMap((second): (readonly [Part, Part])[] => {
    const first = one.usable.find((part) => wouldShow([part, second], whole));
    return first === undefined ? [] : [[first, second]];
  });
  for (const [{ condition: a }, { condition: b }] of pairs) {
    const sets = await readSets(session, list, [a, b, bothOf(a, b)], { key });
    const answer = sets.parts[2]?.answer;
    if (answer?.accepted === false) {
      tally.judge(expectAccepted(answer, 'Two filters together were rejected'));
    } else {
      tally.judge(...(await lastingTroubles(session, key, sets, differences)));
    }
  }
  if (pairs.length === 0) {
    const blames = one.blames ?? other.blames;
    tally.leaveOpen(
      findingOn(whole.answer, {
        message: `Cannot judge two filters of ${list.endpoint} together: no two conditions that hold alone share records in complete lists`,
        advice: 'Run against a deployment that lists more records, as objects, with different values',
        ...(blames === undefined ? {} : { blames }),
      }),
    );
  }
}

const bothOf = (one: Condition, other: Condition): Condition => ({
  query: { ...one.query, ...other.query },
  label: `${Object.keys({ ...one.query, ...other.query }).join(' and ')} together`,
  matches: () => 'unknown',
  expected: `what both have in common: ${one.expected}, ${other.expected}`,
  cause: 'One of the two conditions is dropped or applied twice, or they are joined with or',
});

/**
 * Whether a deployment that drops one of two conditions, or joins them with or, would yield something else: some
 * records match both, some the first alone, and some the second alone.
 */
function wouldShow(pair: readonly [Part, Part], whole: Part): boolean {
  const entries = pair.flatMap((part) => part.entries);
  const signs = new Set(entries.map((entry) => pair.map((part) => isIn(part, entry, whole)).join()));
  return ['true,true', 'true,false', 'false,true'].every((sign) => signs.has(sign));
}

/** Whether a record matches a condition, as it says itself or else as the list of the condition alone says. */
function isIn(part: Part, entry: Entry, whole: Part): boolean | 'unknown' {
  const said = part.condition.matches(entry);
  if (said !== 'unknown') {
    return said;
  }
  // What the whole list lacks may be outside a window that holds by default, which from and to replace.
  return has(part, entry) ? true : isUncut(part, whole) && has(whole, entry) ? false : 'unknown';
}

/** How the records of two conditions at once differ from what both alone have in common. */
function differences({ list, whole, parts }: ListSets): (Finding | null)[] {
  const [one, other, both] = parts as readonly [Part, Part, Part];
  const matches: Condition['matches'] = (entry) => {
    const signs = [one, other].map((part) => isIn(part, entry, whole));
    return signs.includes(false) ? false : signs.includes('unknown') ? 'unknown' : true;
  };
  const known = new Map([...one.entries, ...other.entries].map((entry) => [entry.id, entry]));
  const part = { ...both, condition: { ...both.condition, matches } };
  const sets = { list, whole: { ...whole, entries: [...known.values()] }, parts: [part] };
  return both.answer.accepted ? troublesOf(sets, false) : [];
}

/** What a value outside the vocabulary yields, in words. */
async function unknownValue(session: Session, { list: { endpoint, noun }, parameter }: Filter): Promise<string> {
  const [key] = await keysOfBothEnvironments(session, endpoint);
  const all = rowsIn((await read(session, endpoint, { key })).payload, noun)?.length;
  const query = { [parameter]: 'no-such-value' };
  const answer = await send(session, endpoint, { key, query, purpose: 'off-document' });
  if (!answer.accepted) {
    return `error: ${describeAnswer(answer)}`;
  }
  const rows = rowsIn(answer.payload, noun)?.length;
  return rows === 0 ? 'no rows' : rows === all ? 'all rows' : `${rows ?? 'unknown many'} of ${all} rows`;
}
