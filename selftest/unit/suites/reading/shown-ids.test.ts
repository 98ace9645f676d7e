import { describe, expect, test } from 'vitest';
import { rowPlace } from '../../../../suites/reading/rows.ts';
import { idIn, idsOf, shownIds } from '../../../../suites/reading/shown-ids.ts';

const words = 'run-7-01';
const agent = { name: `Desk ${words}` };
const someone = { id: 'agt_other', name: 'Front desk' };

/** The ids that are surely the record's or, where there are none, those that may be. */
function read(json: unknown, noun = 'agent'): string[] {
  const shown = shownIds(json, noun, words);
  const named = shown.filter(({ isNamed }) => isNamed);
  return (named.length > 0 ? named : shown).map(({ id }) => id);
}

describe('the ids of a record are those at the record itself', () => {
  test.for<[string, unknown, string[]]>([
    ['bare', { id: 'a', ...agent }, ['a']],
    ['in a wrapper', { data: { agent: { id: 'a', ...agent } } }, ['a']],
    ['in an unusual wrapper, beside somebody', { outer: { id: 'a', ...agent }, owner: { id: 'u' } }, ['a']],
    ['with another agent inside', { id: 'a', ...agent, escalation: { agent: someone } }, ['a']],
    ['after another agent', { template: { agent: someone }, agent: { ...agent, id: 'a' } }, ['a']],
    ['next to that of its account', { account: { id: 'c' }, created_by: { id: 'u' }, agent_id: 'a', ...agent }, ['a']],
    ['whose words are in a part of it', { id: 'a', profile: { id: 'p', ...agent } }, ['a']],
    ['within the answer to a request', { id: 'req_1', result: { id: 'a', ...agent } }, ['a']],
    ['with an item that has no words', { code: 'a', ...agent, item: { id: 'i' } }, ['a']],
    ['with an owner whose note has its words', { ...agent, owner: { id: 'u', note: words } }, []],
    ['that was sent, beside an id', { result: { id: 'a' }, input: agent }, []],
    ['of JSON:API', { data: { type: 'agents', id: 'a', attributes: agent } }, ['a']],
    ['in a link to itself', { ...agent, _links: { self: { href: 'https://api.test/v1/agents/a' } } }, ['a']],
    ['of Hydra', { '@id': '/v1/agents/a', '@type': 'Agent', ...agent }, ['a']],
    ['of OData', { '@odata.context': '$metadata#Agents', AgentId: 'a', AccountId: 'x', ...agent }, ['a']],
    ['of OData, in a link', { '@odata.id': "https://api.test/v1/Agents('a')", ...agent }, ['a']],
    ['of MongoDB', { _id: { $oid: 'a' }, __v: 0, ...agent }, ['a']],
    ['of Google, beside a uid that no path takes', { name: 'shops/1/agents/a', uid: 'u', title: words }, ['a']],
    ['of Calendly', { uri: 'https://api.test/v1/agents/a', ...agent }, ['a']],
    ['of Twilio', { account_sid: 'x', sid: 'a', ...agent }, ['a']],
    ['a path under id', { id: 'gid://shop/Agent/7', ...agent }, ['gid://shop/Agent/7']],
    ['a number', { id: 7, workspace_id: 3, ...agent }, ['7']],
    ['two ids', { id: 7, uid: 'a', ...agent }, ['7', 'a']],
    ['under another name', { reference: 'a', ...agent }, ['a']],
    ['no id', agent, []],
    ['nothing but the id', 'Pcf_-br7', ['Pcf_-br7']],
    ['nothing but a word', 'bookingCreated', []],
    ['nothing but a word in capitals', 'OK', []],
  ])('%s', ([, json, own]) => {
    expect(read(json)).toEqual(own);
  });

  test('the URL of a webhook is its receiver’s', () => {
    expect(read({ id: 'a', url: 'https://x.test/webhooks/b', ...agent }, 'webhook')).toEqual(['a']);
  });

  test('the id of a key is recognised next to those of its account and its creator', () => {
    expect(read({ key: { account_id: 'c', created_by: { id: 'u' }, api_key_id: 'k', name: words } }, 'key')).toEqual([
      'k',
    ]);
  });

  test.for<[string, unknown, string | undefined]>([
    ['next to an agent that it refers to', { id: 'a', status: 'active', escalation: { agent: someone } }, 'a'],
    ['in a wrapper', { data: { agent: { id: 'a' } } }, 'a'],
    ['in the answer to a request', { id: 'req_1', agent: { id: 'a', status: 'active', name: 'Desk' } }, 'a'],
    ['in a list of one', [{ id: 'a', status: 'active' }], 'a'],
    ['in the field code, next to the id of its lead', { code: 'a', lead_id: 'l' }, 'a'],
  ])('without words: %s', ([, json, id]) => {
    expect(idIn(json, 'agent')).toBe(id);
  });

  test.for<[unknown, string[]]>([
    [{ id: 1, uid: 'a' }, ['1', 'a']],
    [{ agent: { id: 'a' }, score: 2 }, ['a']],
    [{ type: 'agents', id: 'a', attributes: {} }, ['a']],
    [{ url: 'https://api.example.test/base/v1/crm/agents/a/', name: 'Desk' }, ['a']],
    [{ 'agent-id': 'a', 'lead-id': 'b' }, ['a']],
  ])('a row of a list: %o', ([row, ids]) => {
    expect(idsOf(row as Record<string, unknown>, 'agent')).toEqual(ids);
  });
});

describe('the row of a record', () => {
  test.for<[string, readonly Record<string, unknown>[], number]>([
    ['has its id', [someone, { id: 'a' }], 1],
    [
      'has its words where another shows its id as a number',
      [
        { id: 'a', uid: 'x' },
        { id: 1, uid: 'a', ...agent },
      ],
      1,
    ],
    ['is not a copy of it, words and all', [{ id: 'b', copied_from: 'a', ...agent }], -1],
    ['has its words where rows show no ids', [{ name: 'Front desk' }, agent], 1],
    ['has its words where rows show the ids of others', [{ account_id: 'c' }, { account_id: 'c', ...agent }], 1],
  ])('%s', ([, rows, place]) => {
    expect(rowPlace(rows, 'agent', { id: 'a', tag: words })).toBe(place);
  });
});
