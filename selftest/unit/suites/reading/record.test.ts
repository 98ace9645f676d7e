import { expect, test } from 'vitest';
import { idsOf, shownIds } from '../../../../suites/reading/record.ts';
import { rowPlace } from '../../../../suites/reading/rows.ts';

const words = 'run-7-01';
const agent = { name: `Desk ${words}` };

// The choices of ids and records in the proof have the looks of JSON:API, HAL, Hydra, OData, AIP-122 and Calendly.
test.for<[string, unknown, string[], noun?: string]>([
  ['whose words are in a part of it', { id: 'a', profile: { id: 'p', ...agent } }, ['a']],
  ['within the answer to a request', { id: 'req_1', result: { id: 'a', ...agent } }, ['a']],
  ['without words, in the answer to a request', { id: 'req_1', agent: { id: 'a', status: 'active' } }, ['a']],
  ["under a name of the deployment's own", { accessToken: { id: 'a', ...agent }, plainTextToken: 's' }, ['a']],
  ['with an owner whose note has its words', { ...agent, owner: { id: 'u', note: words } }, []],
  ['that was sent, beside an id', { result: { id: 'a' }, input: agent }, []],
  ['of OData, in a link', { '@odata.id': "https://api.test/v1/Agents('a')", ...agent }, ['a']],
  ['of MongoDB', { _id: { $oid: 'a' }, __v: 0, ...agent }, ['a']],
  ['of Twilio', { account_sid: 'x', sid: 'a', ...agent }, ['a']],
  ['of Shopify', { id: 'gid://shop/Agent/7', ...agent }, ['gid://shop/Agent/7']],
  ['the URL of a webhook, which is its receiver’s', { id: 'a', url: '/webhooks/b', ...agent }, ['a'], 'webhook'],
])('the ids of a record are those at the record itself: %s', ([, json, own, noun = 'agent']) => {
  expect(shownIds(json, noun, words).map(({ id }) => id)).toEqual(own);
});

test.for<[Record<string, unknown>, string[]]>([
  [{ url: 'https://api.example.test/base/v1/crm/agents/a/', name: 'Desk' }, ['a']],
  [{ cursor: 'c', node: { id: 'a' } }, ['a']],
])('the ids of a row of a list: %o', ([row, ids]) => {
  expect(idsOf(row, 'agent')).toEqual(ids);
});

const numbered = [
  { id: 'a', uid: 'x' },
  { id: 1, uid: 'a', ...agent },
];

/** The row of another record, which got the id of the deleted one. */
const heir = { id: 'a', uid: 'z', name: 'Demo' };

test.for<[string, readonly Record<string, unknown>[], number, before?: Record<string, unknown>]>([
  ['has its words where another shows its id as a number', numbered, 1],
  ['has its words where rows show the ids of others', [{ account_id: 'c' }, { account_id: 'c', ...agent }], 1],
  ['is none with its id where it had its words before', [heir], -1, agent],
  ['has them still beside one with its id', [heir, { id: 'a', ...agent }], 1, agent],
  ['has its id where it had no words before', [{ id: 'a', seats: 2 }], 0, { seats: 2 }],
])('the row of a record %s', ([, rows, place, before]) => {
  expect(rowPlace(rows, 'agent', { id: 'a', tag: words }, before)).toBe(place);
});
