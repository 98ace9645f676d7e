import { expect, test } from 'vitest';
import { vocabularies } from '../../../../../suites/developer/filters/documented.ts';
import { type RecordSet, unchanged } from '../../../../../suites/developer/filters/lists.ts';
import type { Answer } from '../../../../../suites/session/answer.ts';

const { list, conditions } = vocabularies.posts;

/** A complete list of posts, by id and status. */
const setOf = (posts: Readonly<Record<string, string>>): RecordSet => {
  const entries = Object.entries(posts).map(([id, status]) => ({ id, hasId: true, row: { id, status } }));
  return { answer: {} as Answer, pointer: '/posts', entries, length: entries.length, isComplete: true };
};

test.for([
  ['did not change', { a: 'draft', b: 'review' }, ['a', 'b']],
  ['changed', { a: 'draft', b: 'published' }, ['a']],
  ['was deleted', { a: 'draft' }, ['a']],
] as const)('a record counts unless it %s between two reads of the whole list', ([, later, counted]) => {
  const whole = setOf({ a: 'draft', b: 'review' });
  const parts = conditions.map((condition) => ({ condition, ...whole }));
  const kept = unchanged({ list, whole, parts }, setOf(later));
  expect([kept.whole, ...kept.parts].map(({ entries }) => entries.map(({ id }) => id))).toEqual(
    Array(parts.length + 1).fill(counted),
  );
});
