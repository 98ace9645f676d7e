import { expect, test } from 'vitest';
import { vocabularies } from '../../../../../suites/developer/filters/documented.ts';
import { type Condition, type Part, unchanged } from '../../../../../suites/developer/filters/lists.ts';
import type { Answer } from '../../../../../suites/session/call.ts';

const { list, conditions } = vocabularies.posts;

/** A complete list of posts, by id and status. */
const setOf = (posts: Readonly<Record<string, string>>): Part => {
  const answer = {} as Answer;
  const entries = Object.entries(posts).map(([id, status]) => ({ id, hasId: true, row: { id, status }, answer }));
  const { length } = entries;
  const [condition] = conditions as readonly [Condition];
  return { condition, answer, pointer: '/posts', entries, pages: [{ answer, length }], isComplete: true };
};

test.for([
  ['did not change', { a: 'draft', b: 'review' }, ['a', 'b']],
  ['changed', { a: 'draft', b: 'published' }, ['a']],
  ['was deleted', { a: 'draft' }, ['a']],
] as const)('a record counts unless it %s between two reads of the whole list', ([, later, counted]) => {
  const whole = setOf({ a: 'draft', b: 'review' });
  const parts = conditions.map((condition) => ({ ...whole, condition }));
  const kept = unchanged({ list, whole, parts }, setOf(later));
  expect([kept.whole, ...kept.parts].map(({ entries }) => entries.map(({ id }) => id))).toEqual(
    Array(parts.length + 1).fill(counted),
  );
});

test.for([
  ['stayed as it was', { a: 'draft', b: 'review' }, true],
  ['lost a record', { b: 'review' }, false],
] as const)('a set is complete only if the whole list stayed: it %s', ([, later, isComplete]) => {
  const whole = setOf({ a: 'draft', b: 'review' });
  const parts = conditions.map((condition) => ({ ...whole, condition }));
  const kept = unchanged({ list, whole, parts }, setOf(later));
  expect([kept.whole, ...kept.parts].map((set) => set.isComplete)).toEqual(Array(parts.length + 1).fill(isComplete));
});
