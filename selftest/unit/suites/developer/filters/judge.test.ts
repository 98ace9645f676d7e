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

/** The statuses of posts, by id. */
type Posts = Readonly<Record<string, string>>;

/** A complete list of posts. */
const setOf = (posts: Posts): RecordSet => {
  const entries = Object.entries(posts).map(([id, status]) => ({ id, hasId: true, row: { id, status } }));
  return { answer, pointer: '/posts', entries, length: entries.length, isComplete: true };
};
/** The whole list, and the posts that each value yields. */
const setsOf = (whole: Posts, yields: Readonly<Record<string, Posts>>): ListSets => ({
  list: filter.list,
  whole: setOf(whole),
  parts: filter.conditions.map((condition) => ({ condition, ...setOf(yields[condition.query.status ?? ''] ?? {}) })),
});
const troubles = (sets: ListSets): string[] => troublesOf(sets, true).map(({ finding }) => finding.message);

const all: Posts = { a: 'draft', b: 'review', c: 'review' };
const unshown: Posts = { a: '?', b: '?' };

test.for<[string, Posts, draft: Posts, review: Posts, readonly string[]]>([
  ['every record that matches, and no other', all, { a: 'draft' }, { b: 'review', c: 'review' }, []],
  ['too few', all, { a: 'draft' }, { b: 'review' }, ['status=review omits 1 post that the whole list shows']],
  [
    'too many',
    all,
    { a: 'draft', c: 'review' },
    { b: 'review', c: 'review' },
    [
      'status=draft returned 1 post that should not match',
      'status=review returned 1 post that another value returned too',
    ],
  ],
  [
    'a record twice that shows no status',
    { ...unshown, c: '?' },
    unshown,
    { b: '?' },
    ['status=review returned 1 post that another value returned too'],
  ],
])('a filter yields %s', ([, whole, draft, review, says]) => {
  expect(troubles(setsOf(whole, { draft, review }))).toEqual(says);
});

test.for<[string, Posts, number]>([
  ['did not change', all, 1],
  ['changed', { ...all, c: 'published' }, 0],
  ['was deleted', { a: 'draft', b: 'review' }, 0],
])('a record that is missing counts if it %s between two reads of the whole list', ([, later, count]) => {
  const sets = setsOf(all, { draft: { a: 'draft' }, review: { b: 'review' } });
  expect(troubles(unchanged(sets, setOf(later)))).toHaveLength(count);
});
