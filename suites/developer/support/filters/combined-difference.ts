import type { JsonObject } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { counted } from '../../../../common/words.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import type { Session } from '../../../session/session.ts';
import { distinctEntries, type FetchedList, type Filter, type Reader, readList, rowsById } from './filter-lists.ts';

/** One filter with one value, and the list that it yields alone. */
export interface SingleFilter {
  readonly query: Readonly<Record<string, string>>;
  readonly list: FetchedList;
  /** The clause that judges this filter alone. */
  readonly clause: string;
}

/** Two filters of a list, to be sent at once. */
export interface FilterPair {
  readonly filter: Filter;
  readonly unfiltered: FetchedList;
  readonly one: SingleFilter;
  readonly other: SingleFilter;
}

/** The rows that are in both lists, without those that cannot be told from others. */
export function commonRows(pair: FilterPair): Map<string, JsonObject> {
  const { unfiltered, one, other } = pair;
  const ofOther = rowsById(other.list.entries);
  return rowsById(distinctEntries(one.list.entries, unfiltered, isWhole(pair)).filter(({ id }) => ofOther.has(id)));
}

/** Whether the unfiltered list is whole: no further page is shown, and no page size may have cut all the lists. */
const isWhole = ({ unfiltered, one, other }: FilterPair): boolean =>
  unfiltered.isComplete && [one, other].every(({ list }) => list.length < unfiltered.length);

/** Rows by id. */
type Rows = ReadonlyMap<string, JsonObject>;

/** How the list of two filters at once differs from what both have in common. */
interface Difference {
  readonly surplus: Rows;
  readonly missing: Rows;
}

/** The finding on two filters at once, whose list is `both`; null: they hold. */
export async function findingOnPair(
  session: Session,
  { key }: Reader,
  pair: FilterPair,
  both: FetchedList,
): Promise<Finding | null> {
  const before = differenceOf(pair, both);
  if (isNone(before)) {
    return null;
  }
  // Records may have changed between the reads: the lists of each filter alone are read once more.
  const readAgain = async (single: SingleFilter): Promise<SingleFilter> => {
    const { query } = single;
    const reading = { key, query, pointer: pair.unfiltered.pointer, isFresh: true };
    return { ...single, list: await readList(session, pair.filter, reading) };
  };
  const [one, other] = await Promise.all([readAgain(pair.one), readAgain(pair.other)]);
  const areRead = [one, other].every(({ list }) => list.pointer !== undefined);
  const lasting = areRead ? inBoth(before, differenceOf({ ...pair, one, other }, both)) : before;
  return isNone(lasting) ? null : differenceFinding(pair, both, lasting);
}

const isNone = ({ surplus, missing }: Difference): boolean => surplus.size + missing.size === 0;

/** The rows in which two differences agree: the others were changed by somebody between the reads. */
function inBoth(before: Difference, after: Difference): Difference {
  const shared = (rows: Rows, others: Rows): Rows => new Map([...rows].filter(([id]) => others.has(id)));
  return { surplus: shared(before.surplus, after.surplus), missing: shared(before.missing, after.missing) };
}

function differenceOf(pair: FilterPair, both: FetchedList): Difference {
  const { unfiltered } = pair;
  const expected = commonRows(pair);
  const came = rowsById(distinctEntries(both.entries, unfiltered, isWhole(pair)));
  // A row that the unfiltered list lacks does not count: a default window may exclude it, which from and to replace.
  const known = unfiltered.isComplete ? rowsById(unfiltered.entries) : came;
  return {
    surplus: new Map([...came].filter(([id]) => !expected.has(id) && known.has(id))),
    missing: new Map([...expected].filter(([id]) => !came.has(id))),
  };
}

function differenceFinding(pair: FilterPair, both: FetchedList, { surplus, missing }: Difference): Finding {
  const { filter, one, other } = pair;
  const expected = commonRows(pair).size;
  const [tooMany] = surplus.values();
  const [lost] = missing.values();
  const names = [one, other].flatMap(({ query }) => Object.keys(query)).join(' and ');
  return findingOn(both.answer, {
    message:
      `Filters ${names} together returned ${counted(both.entries.length, filter.noun)} instead of the ${expected} that ` +
      `match both: ${surplus.size} too many, ${missing.size} missing`,
    expected: `the ${counted(expected, filter.noun)} that both filters alone return`,
    actual: tooMany === undefined ? `none like ${show(lost)}` : `also ${show(tooMany)}`,
    place: `/data${both.pointer ?? ''}`,
    cause:
      tooMany === undefined
        ? 'One condition is applied twice'
        : 'One of the two conditions is dropped, or they are joined with or',
  });
}
