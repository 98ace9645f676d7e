import { endpointOf } from '../../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import type { Check } from '../../../engine/check.ts';
import { expectAccepted, findingOn } from '../../../engine/expect.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { keysOfBothEnvironments, modesOfFilters } from '../data/environments.ts';
import {
  type FetchedList,
  type Filter,
  type FilterLists,
  readFilterLists,
  readList,
  shownValue,
  withoutChanged,
} from './filter-lists.ts';
import { comparableEntries, troublesInBoth, troublesOf } from './filter-troubles.ts';

/**
 * A filter selects: each documented value is accepted, no record is in the lists of two values, records that show the
 * filtered field have the value that was asked for, and no record of the unfiltered list is lost.
 */
export const filterSelects =
  (filter: Filter): Check =>
  async (session) => {
    const tally = createTally();
    const observed: unknown[] = [];
    for (const key of await keysOfBothEnvironments(session, filter.endpoint)) {
      const lists = await readFilterLists(session, filter, { key });
      await judgeLists(session, tally, key, lists);
      observed.push(observedIn(lists));
    }
    return tally.outcome(observed[0]);
  };

async function judgeLists(session: Session, tally: Tally, key: ApiKey, lists: FilterLists): Promise<void> {
  const { filter, unfiltered, filtered } = lists;
  for (const { value, answer } of filtered.filter((list) => !list.answer.accepted)) {
    // A status that the list gets without a filter too is judged by its own clause.
    if (unfiltered.answer.accepted || unfiltered.answer.status !== answer.status) {
      tally.judge(expectAccepted(answer, `Documented value ${filter.name}=${value} was rejected`));
    }
  }
  const found = filtered.filter(({ pointer }) => pointer !== undefined);
  const showsValues = unfiltered.entries.some(({ row }) => shownValue(row, filter) !== undefined);
  if (comparableEntries(lists).every(({ entries }) => entries.length === 0) && !showsValues) {
    tally.leaveOpen(nothingToCompare(lists, key, found));
    return;
  }
  const findings = await lastingTroubles(session, key, lists);
  tally.judge(...(findings.length === 0 ? found.map(() => null) : findings));
}

/**
 * The troubles that last for KEY_SETTLE_MS, since records may change while a run goes on, and are there where all lists
 * are read in one mode, before and after which the unfiltered list shows the records alike: keys may see other data in
 * the query, which is not the filter's fault.
 */
async function lastingTroubles(session: Session, key: ApiKey, lists: FilterLists): Promise<Finding[]> {
  const troubles = troublesOf(lists);
  if (troubles.length === 0) {
    return [];
  }
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  for (const mode of await modesOfFilters(session, key)) {
    const reader = { key, isFresh: true, mode };
    const again = await readFilterLists(session, lists.filter, reader);
    const both = troublesInBoth(troubles, troublesOf(again));
    if (both.length > 0) {
      // A record may have changed between the reads of the two lists, and changed back before.
      const after = await readList(session, lists.filter, { ...reader, pointer: again.unfiltered.pointer });
      const lasting = troublesInBoth(both, troublesOf(withoutChanged(again, after)));
      if (lasting.length > 0) {
        return lasting.map(({ rows, finding }) => finding(rows));
      }
    }
  }
  return [];
}

/** Where the list is, and how many rows each value yields; undefined: all lists are empty. */
function observedIn({ filtered }: FilterLists): unknown {
  const nonEmpty = filtered.find(({ entries }) => entries.length > 0);
  const rows = filtered.flatMap(({ pointer, value, entries }) =>
    pointer === undefined ? [] : [[value, entries.length] as const],
  );
  return nonEmpty && { list: `/data${nonEmpty.pointer ?? ''}`, rows: Object.fromEntries(rows) };
}

/** Seeding fills some of the lists (Sandbox, rule 1). */
const isSeeded = (endpoint: string): boolean => /campaigns|bookings/.test(endpoint);

const nothingToCompare = (
  { filter: { endpoint, name }, unfiltered }: FilterLists,
  { environment }: ApiKey,
  found: readonly FetchedList[],
): Finding => {
  const areEmpty = found.length > 0 && found.every(({ entries }) => entries.length === 0);
  const message = areEmpty
    ? `All lists of ${endpoint} by ${name} are empty`
    : found.length === 0
      ? `${endpoint} has no list of records in which a filter would show`
      : `Records of ${endpoint} cannot be told apart: they show no id and no ${name}, and some look the same`;
  return findingOn(unfiltered.answer, {
    message,
    advice: 'Run against a deployment that lists records, as objects, with different values',
    ...(unfiltered.answer.accepted ? {} : { blames: endpointOf(endpoint).clause }),
    ...(areEmpty && isSeeded(endpoint) && environment !== 'live' ? { blames: 'developer.sandbox.data' } : {}),
  });
};
