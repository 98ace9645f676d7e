import { expect, test } from 'vitest';
import { nextPage, pageSigns } from '../../../../suites/reading/page.ts';

const rows = [{ id: 'a' }, { id: 'b' }];
const header = (): null => null;

test.each([
  ['reached by the rows', '2', 'ends'],
  ['larger', '3', 'goes on'],
  ['in words', 'two', 'unknown'],
])('a total that is %s shows whether the list ends', (_, total_size, end) => {
  expect(pageSigns({ json: { data: rows, total_size }, header }, { pages: 0, rows: 0 }).end).toBe(end);
});

test.each(['startAt', 'startIndex', 'skip'])('a page that shows %s is continued by it', (name) => {
  const json = { [name]: 0, maxResults: 2, total: 3, isLast: false, values: rows };
  expect(nextPage({ json, header })?.queries).toContainEqual({ [name]: 2 });
});
