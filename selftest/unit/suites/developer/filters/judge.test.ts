import { expect, test } from 'vitest';
import { vocabularies } from '../../../../../suites/developer/filters/documented.ts';
import { troublesOf } from '../../../../../suites/developer/filters/judge.ts';
import { type ListSets, type RecordSet, unchanged } from '../../../../../suites/developer/filters/lists.ts';
import type { Answer } from '../../../../../suites/session/answer.ts';

const { posts: filter } = vocabularies;
const answer = {
  accepted: true,
  exchange: { number: 1, request: { method: 'GET', url: '/' }, response: null, failure: null, curl: () => '' },
} as unknown as Answer;

/** A complete list of posts, by id. */
const setOf = (statuses: Readonly<Record<string, string>>): RecordSet => {
  const entries = Object.entries(statuses).map(([id, status]) => ({ id, hasId: true, row: { id, status } }));
  return { answer, pointer: '/posts', entries, length: entries.length, isComplete: true };
};

/** The whole list, and the posts that each value yields. */
const setsOf = (
  all: Readonly<Record<string, string>>,
  yields: Readonly<Record<string, Readonly<Record<string, string>>>>,
): ListSets => ({
  list: filter.list,
  whole: setOf(all),
  parts: filter.conditions.map((condition) => ({ condition, ...setOf(yields[condition.query.status ?? ''] ?? {}) })),
});

const troubles = (sets: ListSets): string[] => troublesOf(sets, true).map(({ finding }) => finding.message);

const all = { a: 'draft', b: 'review', c: 'review' };

test('a filter yields every record that matches, and no other', () => {
  expect(troubles(setsOf(all, { draft: { a: 'draft' }, review: { b: 'review', c: 'review' } }))).toEqual([]);
  expect(troubles(setsOf(all, { draft: { a: 'draft' }, review: { b: 'review' } }))).toEqual([
    'status=review omits 1 post that the whole list shows',
  ]);
  expect(troubles(setsOf(all, { draft: { a: 'draft', c: 'review' }, review: { b: 'review', c: 'review' } }))).toEqual([
    'status=draft returned 1 post that should not match',
    'status=review returned 1 post that another value returned too',
  ]);
});

test('a record that shows no status matches one value alone', () => {
  const shows = { a: '?', b: '?' };
  expect(troubles(setsOf({ ...shows, c: '?' }, { draft: shows, review: { b: '?' } }))).toEqual([
    'status=review returned 1 post that another value returned too',
  ]);
});

test('a record that changed between two reads of the whole list does not count', () => {
  const sets = setsOf(all, { draft: { a: 'draft' }, review: { b: 'review' } });
  expect(troubles(unchanged(sets, setOf(all)))).toHaveLength(1);
  expect(troubles(unchanged(sets, setOf({ ...all, c: 'published' })))).toEqual([]);
  expect(troubles(unchanged(sets, setOf({ a: 'draft', b: 'review' })))).toEqual([]);
});
