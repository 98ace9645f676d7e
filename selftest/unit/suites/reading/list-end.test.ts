import { expect, test } from 'vitest';
import { endOf } from '../../../../suites/reading/list-end.ts';

const rows = [{ id: 'a' }, { id: 'b' }];
const header = (): null => null;

test.each([
  ['a number', 2, 'ends'],
  ['the text of its digits', '2', 'ends'],
  ['in an object', { value: 2, relation: 'eq' }, 'ends'],
  ['larger', '3', 'goes on'],
  ['in words', 'two', 'unknown'],
])('a total that the rows reach shows the end: %s', (_, total_size, end) => {
  expect(endOf({ json: { data: rows, total_size }, header }, { pages: 0, rows: 0 })).toBe(end);
});
