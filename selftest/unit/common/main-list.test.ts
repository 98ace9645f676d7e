import { expect, test } from 'vitest';
import { findMainList, listLike } from '../../../common/main-list.ts';

const rows = [
  { id: 'a', name: 'A' },
  { id: 'b', name: 'B' },
];
const [one, two] = rows;
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
    '/agents',
  ],
  'groups of wrapped rows': [{ agents: { past: [{ item: one }], upcoming: [{ item: two }] } }, '/agents'],
  'days of wrapped rows': [
    {
      days: [
        { date: '2026-03-02', agents: [{ node: one }] },
        { date: '2026-03-03', agents: [{ node: two }] },
      ],
    },
    '/days',
  ],
  Elasticsearch: [{ hits: rows.map((row) => ({ _score: 1, _source: row })) }, '/hits'],
  'each under its noun': [{ results: rows.map((row) => ({ agent: row, status: 'on' })) }, '/results'],
  'a map by id': [{ agents: { a: one, b: two } }, '/agents'],
  "a map by id whose name is its rows' type": [
    { agents: { a: { id: 'a', type: 'agents' }, b: { id: 'b', type: 'agents' } } },
    '/agents',
  ],
  'a map of days': [{ agents: { '2026-03-02': [one], '2026-03-03': [two] } }, '/agents'],
  'a map of statuses': [{ agents: { confirmed: [one], pending: [two] } }, '/agents'],
  'a list of days': [daysOf('agents'), '/days'],
  'a list of days whose rows are in a generic list': [daysOf('list'), '/days'],
  'batches of rows': [{ batches: [[one], [two]] }, '/batches'],
  'rows split over two lists': [{ past: [one], upcoming: [two] }, ''],
  'rows split over lists, one with a name that ends like an id': [{ by: { paid: [one], organic: [two] } }, '/by'],
  'rows split over two lists, and a field with the type of the answer': [
    { past: [one], upcoming: [two], object: 'result' },
    '',
  ],
  'records with their fields below': [{ data: rows.map(({ id, ...attributes }) => ({ id, attributes })) }, '/data'],
};

function daysOf(name: string): object {
  return { days: [one, two].map((row, index) => ({ date: `2026-03-0${index + 2}`, [name]: [row] })) };
}

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
  'a single record': { data: { agent: { id: 'a', name: 'A' } } },
};

test.for(Object.entries(unreadable))('nothing in %s', ([, data]) => {
  expect(findMainList(data, 'agent')).toBeUndefined();
});

test('rows of a map get the ids that are its keys', () => {
  const found = findMainList({ agents: { agt_1: { name: 'A' }, agt_2: { name: 'B' } } }, 'agent');
  expect(found?.rows.map(({ id }) => id)).toEqual(['agt_1', 'agt_2']);
});

test('a map by ids without digits', () => {
  const found = findMainList({ export: { bkg_sdkfwoeprt: { at: 1 }, bkg_qwertzuiop: { at: 2 } } }, 'booking');
  expect(found?.rows.map(({ id }) => id)).toEqual(['bkg_sdkfwoeprt', 'bkg_qwertzuiop']);
});

test('a map by ids whose rows have references', () => {
  const found = findMainList({ bookings: { '-Ob1': { lead_id: '-Ol7' }, '-Ob2': { lead_id: '-Ol7' } } }, 'booking');
  expect(found?.rows.map(({ id }) => id)).toEqual(['-Ob1', '-Ob2']);
});

test('a list of one row may be written as the row itself', () => {
  expect(listLike({ bookings: { booking: { id: 'b1' } } }, '/bookings/booking', 'booking')?.rows).toHaveLength(1);
});

test.for([[], {}, null, [{ date: '2026-03-02', bookings: [] }], { '2026-03-02': [] }])(
  'an empty list may be written as %j',
  (empty) => {
    expect(listLike({ days: empty }, '/days', 'booking')?.rows).toEqual([]);
  },
);
