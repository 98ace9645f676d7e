import { expect, test } from 'vitest';
import { nextPage, pageSigns } from '../../../../suites/reading/page.ts';
import { told } from '../../../../suites/reading/shapes.ts';

const list = 'GET /v1/agents';

test('rows are taken from where they are told, and each id is put into a field id', () => {
  const json = { found: { people: [{ id: 1, kennung: 'a' }], agents: [{ id: 1, kennung: 'b' }] } };
  const { payload } = told({ id: '/kennung', rows: '/found/people' }, list, json, json);
  expect(payload).toEqual([{ id: 'a', kennung: 'a' }]);
});

test('the id of a record is found inside it, out of what wraps it', () => {
  const json = { data: { name: 'x', key: { uid: 'a' } } };
  expect(told({ id: '/key/uid' }, 'POST /v1/agents', json, json).payload).toMatchObject({ id: 'a', name: 'x' });
});

test('what does not stand where it is told is read by convention', () => {
  const json = { data: [{ id: 1 }] };
  expect(told({ id: '/uid', rows: '/rows' }, list, json, json)).toEqual({ payload: json, next: undefined });
  expect(told(undefined, list, json, json).payload).toBe(json);
});

test.each([
  ['abc', { style: 'told: weiter', queries: expect.arrayContaining([{ cursor: 'abc' }]) }],
  ['https://api.test/v1/agents?ab=7', { style: 'told: weiter', queries: [{ ab: '7' }] }],
  [null, null],
])('the next page is where it is told: %j', (weiter, expected) => {
  const json = { data: [{ id: 1 }], weiter };
  const page = { ...told({ next: '/weiter' }, list, json, json), json, header: () => null };
  expect(nextPage(page)).toEqual(expected);
  expect(pageSigns(page, { pages: 0, rows: 0 }).end).toBe(expected === null ? 'ends' : 'goes on');
});
