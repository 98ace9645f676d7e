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

test.each([
  ['as long as a URL may be', 'c'.repeat(8_000), true],
  ['longer', 'c'.repeat(8_001), false],
])('whether a cursor is followed depends on whether a URL can hold it: %s', (_, next_cursor, isFollowed) => {
  expect(nextPage({ json: { data: rows, next_cursor }, header }) !== null).toBe(isFollowed);
});

test.each(['startAt', 'startIndex', 'skip'])('a page that shows %s is continued by it', (name) => {
  const json = { [name]: 0, maxResults: 2, total: 3, isLast: false, values: rows };
  expect(nextPage({ json, header })?.queries).toContainEqual({ [name]: 2 });
});

test.each<[string, shown: object, headers: Readonly<Record<string, string>>, query: object]>([
  ['Kubernetes', { metadata: { continue: 'eyJ2' } }, {}, { continue: 'eyJ2' }],
  ['Qdrant', { next_page_offset: 7 }, {}, { offset: '7' }],
  ['DynamoDB', { LastEvaluatedKey: 'eyJ2' }, {}, { exclusiveStartKey: 'eyJ2' }],
  ['Oracle Cloud', {}, { 'opc-next-page': 'eyJ2' }, { page: 'eyJ2' }],
  ['Lokalise', {}, { 'X-Pagination-Next-Cursor': 'eyJ2' }, { cursor: 'eyJ2' }],
])('a page is continued as in %s', (_, shown, headers, query) => {
  const next = nextPage({ json: { items: rows, ...shown }, header: (name) => headers[name] ?? null });
  expect(next?.queries).toContainEqual(query);
});
