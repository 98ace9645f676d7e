import { expect, test } from 'vitest';
import {
  type FetchedList,
  type FilterLists,
  vocabularies,
  withoutChanged,
} from '../../../../../../suites/developer/support/filters/filter-lists.ts';
import { troublesInBoth, troublesOf } from '../../../../../../suites/developer/support/filters/filter-troubles.ts';
import type { Answer } from '../../../../../../suites/session/answer.ts';

const { posts: filter } = vocabularies;

/** A complete list of posts, by id. */
const listOf = (statuses: Readonly<Record<string, string>>): FetchedList => {
  const entries = Object.entries(statuses).map(([id, status]) => ({ id, row: { id, status } }));
  return { answer: {} as Answer, pointer: '/posts', entries, length: entries.length, isComplete: true };
};

/** The list without a filter, and the ids that each value yields. */
const listsOf = (
  all: Readonly<Record<string, string>>,
  yields: Readonly<Record<string, readonly string[]>>,
): FilterLists => ({
  filter,
  unfiltered: listOf(all),
  filtered: Object.entries(yields).map(([value, ids]) => ({
    value,
    ...listOf(Object.fromEntries(ids.map((id) => [id, value]))),
  })),
});

const lost = (lists: FilterLists): readonly string[] => troublesOf(lists).flatMap(({ rows }) => [...rows.keys()]);

test('a record that a filter leaves out is lost, unless the unfiltered list shows another value afterwards', () => {
  const all = { a: 'draft', b: 'review', c: 'review' };
  const lists = listsOf(all, { draft: ['a'], review: ['b'], published: [] });
  expect(lost(lists)).toEqual(['c']);
  expect(lost(withoutChanged(lists, listOf(all)))).toEqual(['c']);
  expect(lost(withoutChanged(lists, listOf({ ...all, c: 'published' })))).toEqual([]);
  expect(lost(withoutChanged(lists, listOf({ a: 'draft', b: 'review' })))).toEqual([]);
});

test('troubles appear both times, each with the rows that are in trouble both times', () => {
  const all = { a: 'draft', b: 'review', c: 'review' };
  const first = troublesOf(listsOf(all, { draft: ['a'], review: [], published: [] }));
  const second = troublesOf(listsOf(all, { draft: ['a'], review: ['b'], published: [] }));
  expect(troublesInBoth(first, second).map(({ kind, rows }) => [kind, ...rows.keys()])).toEqual([['lost', 'c']]);
  expect(troublesInBoth(first, [])).toEqual([]);
});
