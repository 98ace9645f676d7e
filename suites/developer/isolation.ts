import { canonical, type JsonObject } from '../../common/json.ts';
import { show } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import type { Check } from '../engine/check.ts';
import { judgeThat, undecided } from '../engine/expect.ts';
import { idsOf, isUnguessable, partsOf } from '../reading/record.ts';
import { findInList } from '../records/reads.ts';
import type { ApiKey } from '../session/call.ts';
import { mainKey } from '../session/session.ts';
import { createdBy } from './calls/twins.ts';
import { comparedKeys } from './environments.ts';
import { bookings, leads } from './filters/documented.ts';
import { type Condition, type Part, readSets } from './filters/lists.ts';
import { shownWrites } from './refused-writes.ts';

/** Lists whose records the two environments may not share. */
const lists = ['GET /api/v1/ads/campaigns', 'GET /api/v1/investor/pipeline', bookings, leads];

/** Neither environment shows a record of the other, nor live what this run created in the sandbox. */
export const judgeIsolation: Check = async (session, tally) => {
  const { sandbox, live } = await comparedKeys(session);
  // A list shows no record to both a sandbox key and a live key, whichever keys are compared.
  const ofLists = tally.each(lists, async (list) => {
    const seenBy = async (keys: readonly ApiKey[]): Promise<readonly Part[]> => {
      const sets = await Promise.all(keys.map((key) => readSets(session, list, [inQuery], { key })));
      return sets.flatMap(({ whole, parts }) => [whole, ...parts]);
    };
    const bySandbox = await seenBy(sandbox);
    const byLive = await seenBy(live);
    const [first] = bySandbox as [Part];
    if (
      bySandbox.every(({ entries }) => entries.length === 0) ||
      byLive.every(({ pointer }) => pointer === undefined)
    ) {
      const message = `${list} shows no records to compare between sandbox and live`;
      throw undecided(first.answer, message, endpointOf(list).clause);
    }
    const rowsOf = ({ entries }: Part) => entries.map(({ row }) => row);
    const [found] = bySandbox.flatMap((one) =>
      byLive.flatMap((other) => sharedRows(rowsOf(one), rowsOf(other)).map((row) => ({ one, other, row }))),
    );
    const { one = first, other = first, row } = found ?? {};
    judgeThat(tally, found === undefined, other.answer, {
      message: `${list} shows the same record to ${other.answer.exchange.keyLabel} and ${one.answer.exchange.keyLabel}`,
      expected: 'no record of the sandbox for a live key',
      actual: show(row),
      cause: 'The list reads one environment whatever the key, or its query omits the environment',
    });
  });
  // What the main key creates by a write is listed to itself: otherwise it shows nothing that it is not listed to keys
  // of the other environment.
  const ofWrites = tally.each(shownWrites, async ([, write, list]) => {
    const writer = mainKey(session);
    const { created, record, listed: own } = await createdBy(session, write, list, writer);
    const { collection, tag, id } = record;
    // An id that can be guessed may name a record that existed before.
    const known = { tag, id: isUnguessable(id ?? '') ? id : undefined };
    const shownTo = await Promise.all(live.map((key) => findInList(session, { collection, ...known }, { key })));
    const leak = shownTo.find(({ isShown }) => isShown)?.last;
    if (leak === undefined && !(own.isShown && shownTo.some(({ first }) => first.accepted))) {
      throw undecided(own.first, `${list} does not show what ${write} created, not even to ${writer.label}`);
    }
    judgeThat(tally, leak === undefined, leak ?? created, {
      message: `${leak?.exchange.keyLabel} sees in ${list} what ${writer.label} created`,
      expected: `no record that contains ${tag}`,
      actual: 'such a record',
      cause: 'The write or the list always goes to one environment, or stores none',
    });
  });
  await Promise.all([ofLists, ofWrites]);
  return { keys: [...sandbox, ...live].map(({ label }) => label) };
};

/** The whole list, read with the key in the query: each mode may choose the environment. */
const inQuery: Condition = { query: {}, label: 'The whole list', matches: () => true, mode: 'query' };

/** Whether a value is likely to be in one record alone: an email address, a moment, or a long text with digits. */
const isDistinctive = (value: unknown): boolean =>
  typeof value === 'string' && (/@|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) || /^(?=.*\d).{16,}$/.test(value));

/**
 * Rows that are in both lists, compared as whole records without their nulls. Rows of few fields do not count, nor do
 * rows without an id or another distinctive value: different records may look the same, the more so where each
 * environment counts its ids from 1.
 */
function sharedRows(a: readonly JsonObject[], b: readonly JsonObject[]): JsonObject[] {
  const isDistinct = (row: JsonObject): boolean => {
    const id = idsOf(row, '')[0];
    const values = Object.values(partsOf(row, '').at(-1) ?? row);
    const isUnique = isUnguessable(id ?? '') || values.some(isDistinctive);
    return isUnique ? values.length >= 3 : id !== undefined && values.length >= 4;
  };
  const known = new Set(b.map(withoutNulls).map(canonical));
  return a.map(withoutNulls).filter((row) => isDistinct(row) && known.has(canonical(row)));
}

const withoutNulls = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
