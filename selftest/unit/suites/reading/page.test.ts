import { expect, test } from 'vitest';
import { nextPage, pageSigns } from '../../../../suites/reading/page.ts';
import { told } from '../../../../suites/reading/shapes.ts';

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

const [list, create] = ['GET /v1/agents', 'POST /v1/agents'];
const people = { found: { people: [{ id: 1, kennung: 'a' }], agents: [{ id: 1, kennung: 'b' }] } };
const keyed = { data: { name: 'x', key: { uid: 'a' } } };
const plain = { data: [{ id: 1 }] };

test.for<[string, Parameters<typeof told>[0], call: string, json: object, payload: unknown]>([
  ['taken from where it is told', { id: '/kennung', rows: '/found/people' }, list, people, [{ id: 'a', kennung: 'a' }]],
  ['found inside a record, out of what wraps it', { id: '/key/uid' }, create, keyed, { id: 'a', ...keyed.data }],
  ['read by convention where nothing stands there', { id: '/uid', rows: '/rows' }, list, plain, plain],
  ['read by convention where nothing is told', undefined, list, plain, plain],
])('what is told of an answer is %s', ([, shape, call, json, payload]) => {
  expect(told(shape, call, json, json)).toEqual({ payload, next: undefined });
});

test.each([
  ['abc', { style: 'told: weiter', queries: expect.arrayContaining([{ cursor: 'abc' }]) }],
  ['https://api.test/v1/agents?ab=7', { style: 'told: weiter', queries: [{ ab: '7' }] }],
  [null, null],
])('the next page is where it is told: %j', (weiter, expected) => {
  const json = { ...plain, weiter };
  const page = { ...told({ next: '/weiter' }, list, json, json), json, header };
  expect(nextPage(page)).toEqual(expected);
  expect(pageSigns(page, { pages: 0, rows: 0 }).end).toBe(expected === null ? 'ends' : 'goes on');
});
