import { describe, expect, test } from 'vitest';
import { namesOfId } from '../../../../suites/reading/id-places.ts';
import { showsSomewhere } from '../../../../suites/reading/own-words.ts';

import { rowPlace } from '../../../../suites/reading/rows.ts';
import { idIn, idsOf, type Standing, shownIds } from '../../../../suites/reading/shown-ids.ts';

const words = 'run-7-01';
const agent = { name: `Desk ${words}` };
const someone = { id: 'agt_other', name: 'Front desk' };

/** The ids at the record itself, and those that may belong to something else. */
const read = (json: unknown, noun = 'agent'): [own: string[], others: string[]] => {
  const shown = shownIds(json, noun, words);
  const of = (...standings: Standing[]): string[] =>
    shown.filter(({ standing }) => standings.includes(standing)).map(({ id }) => id);
  const named = of('alone', 'named');
  return [named.length > 0 ? named : of('possible'), of('nested')];
};

describe('the ids of a record are those at the record itself', () => {
  test.for<[string, unknown, string[], string[]]>([
    ['bare', { id: 'a', ...agent }, ['a'], []],
    ['in a wrapper', { data: { agent: { id: 'a', ...agent } } }, ['a'], []],
    ['with another agent inside', { id: 'a', ...agent, escalation: { agent: someone } }, ['a'], ['agt_other']],
    ['after another agent', { template: { agent: someone }, agent: { ...agent, id: 'a' } }, ['a'], ['agt_other']],
    [
      'next to that of its account',
      { account: { id: 'acc_1' }, created_by: { id: 'u' }, agent_id: 'a', ...agent },
      ['a'],
      ['acc_1', 'u'],
    ],
    ['whose words are in a part of it', { id: 'a', profile: { id: 'p', ...agent } }, ['a', 'p'], []],
    ['within the answer to a request', { id: 'req_1', result: { id: 'a', ...agent } }, ['a', 'req_1'], []],
    ['two levels down, while the words are at the top', { agent: { details: { id: 'a' }, ...agent } }, [], ['a']],
    ['of JSON:API', { data: { type: 'agents', id: 'a', attributes: agent } }, ['a'], []],
    ['in a link to itself', { ...agent, _links: { self: { href: 'https://api.test/v1/agents/a' } } }, ['a'], []],
    ['of Hydra', { '@id': '/v1/agents/a', '@type': 'Agent', ...agent }, ['a'], []],
    ['of OData', { '@odata.context': '$metadata#Agents', AgentId: 'a', AccountId: 'x', ...agent }, ['a'], []],
    ['of MongoDB', { _id: { $oid: 'a' }, __v: 0, ...agent }, ['a'], []],
    ['a number', { id: 7, workspace_id: 3, ...agent }, ['7'], []],
    ['two ids', { id: 7, uid: 'a', ...agent }, ['7', 'a'], []],
    ['under another name', { reference: 'a', ...agent }, ['a'], []],
    ['no id', agent, [], []],
    ['nothing but the id', 'Pcf_-br7', ['Pcf_-br7'], []],
    ['nothing but a word', 'bookingCreated', [], []],
    ['nothing but a word in capitals', 'OK', [], []],
    ['nothing but a word of another language', 'créé', [], []],
  ])('%s', ([, json, own, others]) => {
    expect(read(json)).toEqual([own, others]);
  });

  test.for<[string, unknown, string | undefined]>([
    ['next to an agent that it refers to', { id: 'a', status: 'active', escalation: { agent: someone } }, 'a'],
    ['in a wrapper', { data: { agent: { id: 'a' } } }, 'a'],
    ['in the answer to a request', { id: 'req_1', agent: { id: 'a', status: 'active', name: 'Desk' } }, 'a'],
    ['in a list of one', [{ id: 'a', status: 'active' }], 'a'],
    ['next to that of its account', { account_sid: 'acc', sid: 'a' }, 'a'],
    ['in the field key', { key: 'a', name: 'Desk' }, 'a'],
    ['in the field code, next to the id of its lead', { code: 'a', lead_id: 'l' }, 'a'],
  ])('without words: %s', ([, json, id]) => {
    expect(idIn(json, 'agent')).toBe(id);
  });

  test('a field called key in a key record is its secret', () => {
    expect(idIn({ key: 'svc_test_secret', name: 'Desk' }, 'key')).toBe(undefined);
  });

  test('without an id around the words, an id next to values that no other record has is the record’s own', () => {
    const key = { name: words, details: { key_id: 4, secret: 'svc_test_new' }, made_by: { key_id: 1 } };
    const places = ['/key/details/secret'];
    expect(shownIds({ key }, 'key', words, places).filter(({ standing }) => standing === 'named')).toMatchObject([
      { id: '4' },
    ]);
    const bare = { id: 9, name: words, details: { key_id: 4, secret: 'svc_test_new' } };
    expect(
      shownIds(bare, 'key', words, ['/details/secret']).filter(({ standing }) => standing === 'named'),
    ).toMatchObject([{ id: '9' }]);
  });

  test('the id of a key is recognised next to those of its account and its creator', () => {
    const key = { account_id: 'acc', created_by: { id: 'usr' }, api_key_id: 'k', name: words };
    expect(read({ key }, 'key')).toEqual([['k'], ['usr']]);
  });
});

test.for<[unknown, string[]]>([
  [{ id: 1, uid: 'a' }, ['1', 'a']],
  [{ agent: { id: 'a' }, score: 2 }, ['a']],
  [{ node: { id: 'a' }, cursor: 'x' }, ['a']],
  [{ type: 'agents', id: 'a', attributes: {} }, ['a']],
  [{ url: 'https://api.example.test/base/v1/crm/agents/a/', name: 'Desk' }, ['a']],
  [{ 'agent-id': 'a', 'lead-id': 'b' }, ['a']],
])('a row of a list: %o', ([row, ids]) => {
  expect(idsOf(row as Record<string, unknown>, 'agent')).toEqual(ids);
});

test('of two rows that show the id, one of them as a number, the row with the words is the record', () => {
  const rows = [
    { number: 7, reference: 'x', name: 'Front desk' },
    { number: 1, reference: '7', ...agent },
  ];
  expect(rowPlace(rows, 'agent', { id: '7', tag: words })).toBe(1);
});

test('a copy with the words that names the record it was made from is not the row of that record', () => {
  const [id, copy] = ['Xk6IlsJq3C28e70hxqTz', 'Ld93kQz71RbW0pVm55tY'];
  const rows = [
    { id: copy, copied_from: id, ...agent },
    { id, name: `Desk ${words.replaceAll('-', '_')}` },
  ];
  expect(rowPlace(rows, 'agent', { id, tag: words })).toBe(1);
  const made = [{ id: '8', ...agent }, { id: '7' }, { id: '9' }].map((row) => ({ ...row, made_by: '7' }));
  expect(rowPlace(made, 'agent', { id: '7', tag: words })).toBe(1);
  expect(rowPlace(made.slice(0, 1).concat(made.slice(2)), 'agent', { id: '7', tag: words })).toBe(-1);
});

test('a row that shows the id beside another one, and the words in another spelling, is the row of the record', () => {
  const row = {
    metadata: { name: '2260b371', uid: 'Xk6IlsJq3C28e70hxqTz' },
    title: `Desk ${words.replaceAll('-', '_')}`,
  };
  expect(rowPlace([row], 'agent', { id: '2260b371', tag: words })).toBe(0);
  expect(rowPlace([row], 'agent', { id: '2260b371', tag: 'run-7-02' })).toBe(-1);
});

test('the row of a record without words has its id in a field in which each row has another', () => {
  const [own, other, third] = ['Xk6IlsJq3C28e70hxqTz', 'Ld93kQz71RbW0pVm55tY', 'Zz9Yy8Xx7Ww6Vv5Uu4Tt'];
  const record = { id: own, tag: words };
  const rows = [
    { id: 7, public_id: other, replaces: own },
    { id: 8, public_id: own, replaces: null },
  ];
  expect(rowPlace(rows, 'agent', record)).toBe(1);
  const nested = rows.map(({ public_id: name, ...spec }) => ({ metadata: { name }, spec }));
  expect(rowPlace(nested, 'agent', record)).toBe(1);
  expect(
    rowPlace(
      [
        { id: 7, public_id: other, replaces: own },
        { id: 9, public_id: third },
      ],
      'agent',
      record,
    ),
  ).toBe(-1);
});

test('a copy of a record, words and all, has another id in the field in which the answer showed that of the record', () => {
  const copy = { kennung: 'agt_2', ...agent };
  const own = { kennung: 'agt_1', ...agent };
  const record = { id: 'agt_1', idNames: ['kennung'], tag: words };
  expect(rowPlace([copy, own], 'agent', record)).toBe(1);
  expect(rowPlace([copy, { kennung: 'agt_1', name: 'Desk' }], 'agent', record)).toBe(1);
  expect(rowPlace([{ kennung: '/v1/agents/agt_1' }], 'agent', record)).toBe(0);
  expect(rowPlace([copy], 'agent', record)).toBe(-1);
  // A row without that field has its words alone.
  expect(rowPlace([agent], 'agent', record)).toBe(0);
});

test('the names of the fields that show an id are those of fields, not places in lists', () => {
  const answer = { api_key: { kennung: 'k1', link: '/keys/k1', all: ['k0', 'k1'] }, label: 'k10' };
  expect(namesOfId(answer, 'k1')).toEqual(['kennung', 'link']);
});

test.for<[string, unknown, boolean]>([
  ['its id', { agents: [['a', 'Desk']] }, true],
  ['its id as a name', { agents: { a: {} } }, true],
  ['its words', { text: `Desk ${words}, Front desk` }, true],
  ['a path that ends with its id', { agents: [{ '@id': '/v1/agents/a/' }] }, true],
  ['none of them', { agents: [['b', `Desk ${words}2`]] }, false],
  ['a path of another kind', { agents: [{ '@id': '/v1/leads/a' }] }, false],
])('a document shows a record by %s', ([, json, isShown]) => {
  expect(showsSomewhere(json, { id: 'a', tag: words }, 'agent')).toBe(isShown);
});
