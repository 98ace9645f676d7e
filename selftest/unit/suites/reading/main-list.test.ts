import { expect, test } from 'vitest';
import { findMainList, listLike } from '../../../../suites/reading/main-list.ts';

const rows = [
  { id: 'a', name: 'A' },
  { id: 'b', name: 'B' },
];
const counts = [{ status: 'active', count: 2 }];

/** An answer, and the place of its agents. */
const shapes: Readonly<Record<string, readonly [data: unknown, pointer: string]>> = {
  bare: [rows, ''],
  'a list named after the rows': [{ agents: rows }, '/agents'],
  'a generic list': [{ items: rows, page: { number: 1 } }, '/items'],
  'a list of any name': [{ table: rows, note: 'all' }, '/table'],
  'a list in an object named after the rows': [{ agents: { data: rows, count: 2 } }, '/agents/data'],
  'a list in an object named after the rows, in data': [{ data: { agents: { rows, count: 2 } } }, '/data/agents/rows'],
  'counts named after the rows come first': [{ agent_counts: counts, agents: rows }, '/agents'],
  'counts named after the rows, and a generic list': [{ agents_by_status: counts, rows }, '/rows'],
  'counts with an unrelated name': [{ overview: counts, table: rows }, '/table'],
  'facets and columns': [
    { facets: [{ name: 'status', count: 2 }], columns: [{ key: 'id' }], results: rows },
    '/results',
  ],
  'columns and filters': [
    { columns: [{ name: 'id' }], filters: [{ name: 'status', values: ['x'] }], table: rows },
    '/table',
  ],
  'an unrelated list comes first': [{ banners: [{ text: 'Hello' }], agents: rows }, '/agents'],
  'lists in its rows': [{ agents: rows.map((row) => ({ ...row, guests: [{ name: 'Li' }] })) }, '/agents'],
  Spring: [{ content: rows, pageable: { sort: [] }, sort: [] }, '/content'],
  HAL: [{ _embedded: { agentList: rows }, _links: { curies: [{ href: '/docs' }] } }, '/_embedded/agentList'],
  Hydra: [{ 'hydra:member': rows, 'hydra:search': { 'hydra:mapping': [{ variable: 'q' }] } }, '/hydra:member'],
  OData: [{ '@odata.context': '$metadata', value: rows }, '/value'],
  Relay: [
    { edges: rows.map((node, index) => ({ cursor: `c${index}`, node })), pageInfo: { hasNextPage: false } },
    '/edges',
  ],
  'Relay, and records of JSON:API': [
    { data: { agents: { totalCount: 2, edges: rows.map((node) => ({ node: { ...node, type: 'agents' } })) } } },
    '/data/agents/edges',
  ],
  'Relay, alone under the name of its rows': [
    { agents: { edges: rows.map((node, index) => ({ cursor: `c${index}`, node })) } },
    '/agents/edges',
  ],
  Elasticsearch: [{ hits: rows.map((row) => ({ _score: 1, _source: row })) }, '/hits'],
  'each under its noun': [{ results: rows.map((row) => ({ agent: row, status: 'on' })) }, '/results'],
  'records with their fields below': [{ data: rows.map(({ id, ...attributes }) => ({ id, attributes })) }, '/data'],
};

test.for(Object.entries(shapes))('%s', ([, [data, pointer]]) => {
  const found = findMainList(data, 'agent');
  expect(found?.pointer).toBe(pointer);
  expect(found?.rows.map(({ id }) => id)).toEqual(['a', 'b']);
});

/** Answers without a recognisable list of records. */
const unreadable: Readonly<Record<string, unknown>> = {
  'a link': { download_url: 'https://files.example.com/x.csv' },
  'rows of values': { columns: ['id', 'status'], rows: [['b1', 'confirmed']] },
  'counts with an unrelated name': { overview: [{ status: 'confirmed', count: 3 }] },
  'counts alone': { by_status: [{ status: 'confirmed', count: 3 }] },
  'two lists of which neither is the likelier': { left: [{ a: 1 }], right: [{ b: 2 }] },
  'two lists of the same rows': { left: rows, right: rows },
  'a map by id, which BODIES can tell of': { agents: { a: rows[0], b: rows[1] } },
  'lists by day': {
    days: [
      { date: '2026-03-02', agents: [rows[0]] },
      { date: '2026-03-03', agents: [rows[1]] },
    ],
  },
  'a single record': { data: { agent: { id: 'a', name: 'A' } } },
};

test.for(Object.entries(unreadable))('nothing in %s', ([, data]) => {
  expect(findMainList(data, 'agent')).toBeUndefined();
});

test.for([[], {}, null])('an empty list may be written as %j', (empty) => {
  expect(listLike({ days: empty }, '/days', 'booking')?.rows).toEqual([]);
});
