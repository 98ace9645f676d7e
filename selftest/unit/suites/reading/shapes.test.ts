import { expect, test } from 'vitest';
import { nextPage } from '../../../../suites/reading/page.ts';
import { readByShape } from '../../../../suites/reading/rows.ts';

const [list, create] = ['GET /v1/agents', 'POST /v1/agents'];
const people = { found: { people: [{ id: 1, kennung: 'a' }], agents: [{ id: 1, kennung: 'b' }] } };
const keyed = { data: { name: 'x', key: { uid: 'a' } } };
const plain = { data: [{ id: 1 }] };

test.for<[string, Parameters<typeof readByShape>[0], call: string, json: object, payload: unknown]>([
  ['taken from where it is told', { id: '/kennung', rows: '/found/people' }, list, people, [{ id: 'a', kennung: 'a' }]],
  ['found inside a record, out of what wraps it', { id: '/key/uid' }, create, keyed, { id: 'a', ...keyed.data }],
])('what is told of an answer is %s', ([, shape, call, json, payload]) => {
  expect(readByShape(shape, call, json, json)).toEqual({ payload, next: undefined });
});

test('the next page is where it is told', () => {
  const json = { ...plain, weiter: 'https://api.test/v1/agents?ab=7' };
  const page = { ...readByShape({ next: '/weiter' }, list, json, json), json, header: () => null };
  expect(nextPage(page)).toEqual({ style: 'told: weiter', queries: [{ ab: '7' }] });
});
