import type { JsonObject } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { counted } from '../../../../common/words.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import {
  distinctEntries,
  type Entry,
  type FetchedList,
  type Filter,
  type FilteredList,
  type FilterLists,
  rowsById,
  shownValue,
} from './filter-lists.ts';

type Rows = ReadonlyMap<string, JsonObject>;

/** Rows that the list of one value shows, or leaves out, and should not. */
interface Trouble {
  readonly value: string;
  readonly kind: 'in two lists' | 'of another value' | 'lost';
  /** By id. */
  readonly rows: Rows;
  /** The finding on those of the rows that remain in trouble. */
  readonly finding: (remaining: Rows) => Finding;
}

/** What is wrong with the lists by the values of a filter. */
export function troublesOf(lists: FilterLists): Trouble[] {
  const { filter, unfiltered, filtered } = lists;
  const areComplete = areListsComplete(unfiltered, filtered);
  const comparable = comparableEntries(lists);
  return [
    ...filtered.map((list, index) => inTwoLists(filter, list, comparable.slice(0, index + 1))),
    ...filtered.map((list) => ofAnotherValue(filter, list)),
    // An empty list is complete.
    ...filtered.flatMap((list) =>
      list.pointer !== undefined && (areComplete || list.length === 0) ? lost(filter, list, unfiltered) : [],
    ),
  ].filter(({ rows }) => rows.size > 0);
}

/** The entries of one value's list that show whether another value's list has them too. */
interface Comparable {
  readonly value: string;
  readonly entries: readonly Entry[];
}

/** The entries by which the lists can be compared. */
export function comparableEntries({ unfiltered, filtered }: FilterLists): readonly Comparable[] {
  const areComplete = areListsComplete(unfiltered, filtered);
  return filtered.map(({ value, entries }) => ({
    value,
    entries: distinctEntries(entries, unfiltered, areComplete),
  }));
}

/** Whether no list has a further page, and none is as long as the unfiltered one: a page size may have cut both. */
const areListsComplete = (unfiltered: FetchedList, filtered: readonly FilteredList[]): boolean =>
  filtered.every(({ length }) => length < unfiltered.length) &&
  [unfiltered, ...filtered].every(({ isComplete }) => isComplete);

/** The troubles that appear both times, with the rows in trouble both times: others moved meanwhile. */
export const troublesInBoth = (first: readonly Trouble[], second: readonly Trouble[]): Trouble[] =>
  first.flatMap((trouble) => {
    const again = second.find(({ value, kind }) => value === trouble.value && kind === trouble.kind);
    const rows = new Map([...trouble.rows].filter(([id]) => again?.rows.has(id) === true));
    return rows.size === 0 ? [] : [{ ...trouble, rows }];
  });

const firstOf = (rows: Rows): string => show([...rows.values()][0]);
const placeOf = ({ pointer = '' }: FilteredList): string => `/data${pointer}`;

function inTwoLists(filter: Filter, list: FilteredList, comparable: readonly Comparable[]): Trouble {
  const { name, noun } = filter;
  const own = comparable.at(-1)?.entries ?? [];
  const earlier = comparable.slice(0, -1);
  const otherValueOf = new Map(earlier.flatMap(({ entries, value }) => entries.map(({ id }) => [id, value] as const)));
  return {
    value: list.value,
    kind: 'in two lists',
    rows: rowsById(own.filter(({ id }) => otherValueOf.has(id))),
    finding: (remaining) =>
      findingOn(list.answer, {
        message:
          `Filter ${name} does not separate records: ${counted(remaining.size, noun)} listed for ${name}=${list.value} ` +
          `and for ${name}=${otherValueOf.get([...remaining.keys()][0] ?? '') ?? ''}`,
        expected: `no ${noun} in two of the lists`,
        actual: firstOf(remaining),
        place: placeOf(list),
        ...(remaining.size === list.entries.length
          ? { cause: 'The parameter is ignored: all values return the same list' }
          : {}),
      }),
  };
}

function ofAnotherValue(filter: Filter, list: FilteredList): Trouble {
  const { name, noun } = filter;
  const strays = list.entries.filter(({ row }) => ![undefined, list.value].includes(shownValue(row, filter)));
  return {
    value: list.value,
    kind: 'of another value',
    rows: rowsById(strays),
    finding: (remaining) =>
      findingOn(list.answer, {
        message: `Filter ${name}=${list.value} returned ${counted(remaining.size, noun)} with another ${name}`,
        expected: `only ${noun}s with ${name} ${list.value}`,
        actual: firstOf(remaining),
        place: placeOf(list),
      }),
  };
}

/** Rows of the unfiltered list that show the value and are not in its list. */
function lost(filter: Filter, list: FilteredList, unfiltered: FetchedList): Trouble {
  const { name, noun } = filter;
  const kept = rowsById(list.entries);
  const missing = unfiltered.entries.filter(({ id, row }) => shownValue(row, filter) === list.value && !kept.has(id));
  return {
    value: list.value,
    kind: 'lost',
    rows: rowsById(missing),
    finding: (remaining) =>
      findingOn(list.answer, {
        message:
          `Filter ${name}=${list.value} omits ${counted(remaining.size, noun)} that the unfiltered list shows: ` +
          `it returned ${list.entries.length}`,
        expected: `every ${noun} whose ${name} is ${list.value}`,
        actual: `none like ${firstOf(remaining)}`,
        place: placeOf(list),
      }),
  };
}
