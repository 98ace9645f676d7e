import { endpointOf } from '../../contract/endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import type { Check, Checks } from '../engine/check.ts';
import { describeAnswer, expectAccepted, expectStatus, findingOn } from '../engine/expect.ts';
import { rowsIn } from '../reading/rows.ts';
import { nounOf, read } from '../records/reads.ts';
import type { ApiKey } from '../session/call.ts';
import { type Session, send } from '../session/session.ts';
import { inBothEnvironments, keysOfBothEnvironments } from './environments.ts';
import {
  bookings,
  type Filter,
  leads,
  vocabularies,
  vocabulary,
  windowsAmid,
  windowsAround,
} from './filters/documented.ts';
import {
  type Condition,
  type Entry,
  has,
  isUncut,
  judgeLasting,
  type Part,
  type Reading,
  readPart,
  readSets,
  wrongIn,
} from './filters/lists.ts';
import { mainEnvironment } from './keys/making.ts';

/** Filters: two at once, and what the documents leave open. */
export const filters: Checks = {
  // Leads by status and source. Bookings by status and from, and by status and to: the instant lies in the middle of
  // the bookings of one status.
  'developer.filters.combined': inBothEnvironments(
    leads,
    async (session, tally, key) => {
      const statuses = await readAlone(session, key, vocabulary(leads, 'status'));
      await judgeCombined(session, tally, key, statuses, await readAlone(session, key, vocabulary(leads, 'source')));
    },
    async (session, tally, key) => {
      const statuses = await readAlone(session, key, vocabulary(bookings, 'status'));
      const usable = statuses.usable.toSorted((a, b) => b.entries.length - a.entries.length).slice(0, 1);
      const { entries } = usable[0] ?? statuses.whole;
      const windows = await readAlone(session, key, windowsAmid(entries.map(({ row }) => row)));
      await judgeCombined(session, tally, key, { ...statuses, usable }, windows);
    },
  ),

  // What a value outside the vocabulary yields, in words.
  'developer.filters.unknown-value': async (session) => {
    const found: Record<string, string> = {};
    for (const { list, parameter } of vocabularies) {
      const [key] = await keysOfBothEnvironments(session, list);
      const all = rowsIn((await read(session, list, { key })).payload, nounOf(list))?.length;
      const query = { [parameter]: 'no-such-value' };
      const answer = await send(session, list, { key, query, purpose: 'off-document' });
      const rows = rowsIn(answer.payload, nounOf(list))?.length;
      const told = rows === 0 ? 'no rows' : rows === all ? 'all rows' : `${rows ?? 'unknown many'} of ${all} rows`;
      found[`${list}?${parameter}`] = answer.accepted ? told : `error: ${describeAnswer(answer)}`;
    }
    return found;
  },
};

/**
 * A filter selects: each condition is accepted, yields no record that does not match it, and every matching record of
 * the whole list; and no record matches two values of a vocabulary.
 */
export const filterSelects = (filter: Filter): Check =>
  inBothEnvironments(filter.list, (session, tally, key) => judgeFilter(session, tally, key, filter));

/** A check: the export accepts from and to in every spelling, together and alone, and yields no other bookings. */
export const windowsSelect: Check = inBothEnvironments(bookings, async (session, tally, key) => {
  const { entries, answer: whole } = await readPart(session, bookings, { key });
  const windows = windowsAround(
    entries.map(({ row }) => row),
    session.clock.now(),
  );
  await judgeFilter(session, tally, key, windows);
  // A day, and a time without a zone: either may be refused, and neither may break the export.
  const openForms = key.environment === mainEnvironment(session) ? ['2026-03-02', '2026-03-02T09:00:00'] : [];
  for (const from of openForms) {
    const answer = await send(session, bookings, { key, query: { from }, purpose: 'off-document' });
    const what = `An export from ${from}, a form of ISO 8601 that the document leaves open,`;
    const isBroken = answer.status >= 500 && whole.status < 500;
    tally.judge(isBroken ? expectStatus(answer, [200, 400], what, 'The value is not checked') : null);
  }
});

/** Judges a filter in one environment. */
async function judgeFilter(session: Session, tally: Tally, key: ApiKey, filter: Filter): Promise<void> {
  const { list, conditions, parameter, isVocabulary } = filter;
  const readThem = (isFresh: boolean) => readSets(session, list, conditions, { key, isFresh });
  const { whole, parts } = await readThem(false);
  for (const { condition, answer } of parts.filter((part) => !part.answer.accepted)) {
    // A status that the list gets without a filter too is judged by its own clause.
    if (whole.answer.accepted || whole.answer.status !== answer.status) {
      tally.judge(expectAccepted(answer, `${condition.label} was rejected`));
    }
  }
  const isFound = parts.some(({ pointer }) => pointer !== undefined);
  const shows = (entry: Entry): boolean => parts.some(({ condition }) => condition.matches(entry) !== 'unknown');
  const isTold = parts.some(({ entries }) => entries.some(({ hasId }) => hasId));
  if (isFound && (isTold || [whole, ...parts].some(({ entries }) => entries.some(shows)))) {
    await judgeLasting(session, tally, async (isFresh) => wrongIn(await readThem(isFresh), isVocabulary));
    return;
  }
  const isListAtFault = !whole.answer.accepted || (!isFound && whole.pointer !== undefined);
  tally.leaveOpen(
    findingOn(whole.answer, {
      message: `${list} by ${parameter} shows no ${nounOf(list)}s with ids or ${parameter}, in which a filter would show`,
      advice: `Run against a deployment that lists ${nounOf(list)}s, as objects, with different values`,
      ...(isListAtFault ? { blames: endpointOf(list).clause } : {}),
    }),
  );
}

// --- Two filters at once

/** Reads a list by a filter alone. `usable`: the conditions that hold; `blames`: the clause that keeps some from it. */
async function readAlone(session: Session, key: ApiKey, filter: Filter) {
  const sets = await readSets(session, filter.list, filter.conditions, { key });
  const wrong = wrongIn(sets, filter.isVocabulary);
  const usable = sets.parts.filter(({ answer }, index) => answer.accepted && wrong[index] === null);
  return { ...sets, usable, blames: usable.length < sets.parts.length ? [filter.clause] : [] };
}
type Alone = Awaited<ReturnType<typeof readAlone>>;

/** Two filters at once yield what both alone have in common: each condition of the second with one of the first. */
async function judgeCombined(session: Session, tally: Tally, key: ApiKey, one: Alone, other: Alone): Promise<void> {
  const { list, whole } = one;
  const pairs = other.usable.flatMap((second): (readonly [Condition, Condition])[] => {
    const first = one.usable.find((part) => wouldShow([part, second], whole));
    return first === undefined ? [] : [[first.condition, second.condition]];
  });
  for (const pair of pairs) {
    const readThem = (isFresh: boolean) => readBoth(session, list, pair, { key, isFresh });
    const { answer } = (await readThem(false)).both;
    if (answer.accepted) {
      await judgeLasting(session, tally, async (isFresh) => {
        const { first, both } = await readThem(isFresh);
        return wrongIn({ list, whole: first, parts: [both] }, false);
      });
    } else {
      tally.judge(expectAccepted(answer, 'Two filters together were rejected'));
    }
  }
  if (pairs.length === 0) {
    const [blames] = [...one.blames, ...other.blames];
    tally.leaveOpen(
      findingOn(whole.answer, {
        message: `Cannot judge two filters of ${list} together: no two conditions that hold alone share records in complete lists`,
        advice: 'Run against a deployment that lists more records, as objects, with different values',
        ...(blames === undefined ? {} : { blames }),
      }),
    );
  }
}

/** Reads a list by the first of two conditions, and by both: what the lists of each alone have in common matches. */
async function readBoth(session: Session, list: string, pair: readonly [Condition, Condition], reading: Reading) {
  const { whole, parts } = await readSets(session, list, pair, reading);
  const query = Object.assign({}, ...pair.map((one) => one.query));
  const matches = (entry: Entry): boolean | 'unknown' => {
    const signs = parts.map((part) => isIn(part, entry, whole));
    return signs.includes(false) ? false : signs.includes('unknown') ? 'unknown' : true;
  };
  const label = `${Object.keys(query).join(' and ')} together`;
  const both = await readPart(session, list, { ...reading, pointer: whole.pointer }, { query, label, matches });
  return { first: parts[0] as Part, both };
}

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
