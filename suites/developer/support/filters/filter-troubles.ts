import type { JsonObject } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { counted } from '../../../../common/words.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import {
  type FetchedList,
  type Filter,
  type FilteredList,
  type FilterLists,
  rowsById,
  shownValue,
} from './filter-lists.ts';

/** Rows that one value of a filter yields or leaves out, and should not. */
export interface Trouble {
  readonly value: string;
  readonly kind: 'in two lists' | 'of another value' | 'lost';
  /** By what tells them apart. */
  readonly rows: ReadonlyMap<string, JsonObject>;
  /** What is to be said where these of the rows are in trouble. */
  readonly finding: (rows: ReadonlyMap<string, JsonObject>) => Finding;
}

/** What is wrong with the lists that the values of a filter yield. */
export function troublesOf(look: FilterLists): Trouble[] {
  const { filter } = look;
  const complete = isComplete(look);
  return [
    ...look.filtered.map((one, index) => inTwo(filter, one, look.filtered.slice(0, index))),
    ...look.filtered.map((one) => ofAnother(filter, one)),
    ...look.filtered.map((one) => lost(filter, one, look.unfiltered, complete)),
  ].filter(({ rows }) => rows.size > 0);
}

/** No page follows in any of the lists, and none is as long as the unfiltered one: a size of page may have cut both. */
const isComplete = ({ unfiltered, filtered }: FilterLists): boolean =>
  filtered.every(({ length }) => length < unfiltered.length) &&
  [unfiltered, ...filtered].every(({ isComplete }) => isComplete);

/** Troubles that are in both of two looks, with the rows that are in trouble in both: what moved meanwhile is not. */
export const troublesInBoth = (first: readonly Trouble[], second: readonly Trouble[]): Finding[] =>
  first.flatMap((trouble) => {
    const again = second.find(({ value, kind }) => value === trouble.value && kind === trouble.kind);
    const rows = new Map([...trouble.rows].filter(([id]) => again?.rows.has(id) === true));
    return rows.size === 0 ? [] : [trouble.finding(rows)];
  });

const firstOf = (rows: ReadonlyMap<string, JsonObject>): string => show([...rows.values()][0]);
const placeOf = ({ pointer = '' }: FilteredList): string => `/data${pointer}`;

function inTwo(filter: Filter, one: FilteredList, earlier: readonly FilteredList[]): Trouble {
  const others = new Map(earlier.flatMap((other) => other.entries.map(({ id }) => [id, other.value] as const)));
  const rows = rowsById(one.entries.filter(({ id }) => others.has(id)));
  return {
    value: one.value,
    kind: 'in two lists',
    rows,
    finding: (left) =>
      findingOn(one.answer, {
        message:
          `Filter ${filter.name} does not separate records: ${counted(left.size, filter.noun)} of ${filter.name}=${one.value} ` +
          `also in ${filter.name}=${others.get([...left.keys()][0] ?? '') ?? ''}`,
        expected: `no ${filter.noun} in two of the lists`,
        actual: firstOf(left),
        place: placeOf(one),
        ...(left.size === one.entries.length
          ? { cause: 'The parameter is not read: all values give the same list' }
          : {}),
      }),
  };
}

function ofAnother(filter: Filter, one: FilteredList): Trouble {
  const strays = one.entries.filter(({ row }) => ![undefined, one.value].includes(shownValue(row, filter)));
  return {
    value: one.value,
    kind: 'of another value',
    rows: rowsById(strays),
    finding: (left) =>
      findingOn(one.answer, {
        message: `Filter ${filter.name}=${one.value} yields ${counted(left.size, filter.noun)} of another ${filter.name}`,
        expected: `only ${filter.noun}s with ${filter.name} ${one.value}`,
        actual: firstOf(left),
        place: placeOf(one),
      }),
  };
}

/**
 * Rows of the unfiltered list that show the value and are not in its list. Judged where all lists are complete. An empty list
 * is complete.
 */
function lost(filter: Filter, one: FilteredList, unfiltered: FetchedList, complete: boolean): Trouble {
  const isJudged = one.pointer !== undefined && (one.length === 0 || complete);
  const kept = rowsById(one.entries);
  const missing = unfiltered.entries.filter(({ id, row }) => shownValue(row, filter) === one.value && !kept.has(id));
  const rows = rowsById(isJudged ? missing : []);
  return {
    value: one.value,
    kind: 'lost',
    rows,
    finding: (left) =>
      findingOn(one.answer, {
        message:
          `Filter ${filter.name}=${one.value} loses ${counted(left.size, filter.noun)} that the unfiltered list shows: ` +
          `it yields ${one.entries.length}`,
        expected: `every ${filter.noun} whose ${filter.name} is ${one.value}`,
        actual: `none like ${firstOf(left)}`,
        place: placeOf(one),
      }),
  };
}
