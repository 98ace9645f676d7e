import { expect, test } from 'vitest';
import { findMainList, listLike } from '../../../common/main-list.ts';

const rows = [
  { id: 'a', name: 'A' },
  { id: 'b', name: 'B' },
];
const idsIn = (json: unknown): unknown[] | undefined => findMainList(json, 'agent')?.rows.map(({ id }) => id);

test.for<[string, unknown]>([
  ['bare', rows],
  ['beside facets and columns', { facets: [{ name: 'status', count: 2 }], columns: [{ key: 'id' }], results: rows }],
  ['beside counts of the same noun', { agent_counts: [{ name: 'active', count: 2 }], agents: rows }],
  ['beside an unknown list', { banners: [{ text: 'Hello' }], agents: rows }],
  ['of Spring', { content: rows, pageable: { sort: [] }, sort: [] }],
  ['of HAL', { _embedded: { agentList: rows }, _links: { curies: [{ href: '/docs' }] } }],
  ['of Hydra', { 'hydra:member': rows, 'hydra:search': { 'hydra:mapping': [{ variable: 'q' }] } }],
  ['of OData', { '@odata.context': '$metadata', value: rows }],
  ['of Relay', { edges: rows.map((node, index) => ({ cursor: `c${index}`, node })), pageInfo: { hasNextPage: false } }],
  ['of Elasticsearch', { hits: rows.map((row) => ({ _score: 1, _source: row })) }],
  ['each under its noun', { results: rows.map((row) => ({ agent: row, status: 'on' })) }],
  ['a map by id', { agents: { a: { id: 'a' }, b: { id: 'b' } } }],
  ['by day', { agents: { '2026-03-03': [rows[0]], '2026-03-04': [rows[1]] } }],
  [
    'in groups by day',
    {
      days: [
        { day: '2026-03-03', agents: [rows[0]] },
        { day: '2026-03-04', agents: [rows[1]] },
      ],
    },
  ],
  ['nested', { data: { agents: { rows, count: 2 } } }],
])('a list %s is found', ([, json]) => {
  expect(idsIn(json)).toEqual(['a', 'b']);
});

test('a map whose rows do not show their ids gives them', () => {
  expect(idsIn({ agents: { agt_1: { name: 'A' }, agt_2: { name: 'B' } } })).toEqual(['agt_1', 'agt_2']);
});

test('a single record is no map, and of lists that nothing tells apart none is taken', () => {
  expect(findMainList({ columns: [{ name: 'id' }], rows: [['a'], ['b']] }, 'agent')).toBeUndefined();
  expect(findMainList({ data: { agent: { id: 'a', name: 'A' } } }, 'agent')).toBeUndefined();
  expect(findMainList({ left: rows, right: rows }, 'agent')).toBeUndefined();
});

const bookings = [
  { id: 'b1', status: 'confirmed', customer: 'Zoë', starts_at: '2026-03-02T09:00:00Z' },
  { id: 'b2', status: 'pending', customer: 'Ada', starts_at: '2026-03-03T09:00:00Z' },
];
const [one, two] = bookings;

/** Data of an export, and where its bookings stand. */
const shapes: Readonly<Record<string, readonly [data: unknown, pointer: string]>> = {
  'a list of its name': [{ bookings: bookings }, '/bookings'],
  'a generic list': [{ items: bookings, page: { number: 1 } }, '/items'],
  'a list of any name': [{ table: bookings, note: 'all' }, '/table'],
  'a list below its name': [{ bookings: { data: bookings, count: 2 } }, '/bookings/data'],
  'counts of its name first': [
    { booking_counts: [{ status: 'confirmed', count: 1 }], bookings: bookings },
    '/bookings',
  ],
  'counts of its name beside a generic list': [
    { bookings_by_status: [{ status: 'x', n: 1 }], rows: bookings },
    '/rows',
  ],
  'counts that nothing names': [{ overview: [{ status: 'x', count: 1 }], table: bookings }, '/table'],
  'columns and filters': [
    { columns: [{ name: 'id' }], filters: [{ name: 'status', values: ['x'] }], table: bookings },
    '/table',
  ],
  'lists in its rows': [{ bookings: bookings.map((row) => ({ ...row, guests: [{ name: 'Li' }] })) }, '/bookings'],
  'a map by id': [{ bookings: { b1: one, b2: two } }, '/bookings'],
  'a list of days': [
    {
      days: [
        { date: '2026-03-02', bookings: [one] },
        { date: '2026-03-03', bookings: [two] },
      ],
    },
    '/days',
  ],
  'a list of days without a name': [
    {
      days: [
        { date: '2026-03-02', list: [one] },
        { date: '2026-03-03', list: [two] },
      ],
    },
    '/days',
  ],
  'batches of rows': [{ batches: [[one], [two]] }, '/batches'],
  'two lists beside one another': [{ past: [one], upcoming: [two] }, ''],
  'a map of days': [{ bookings: { '2026-03-02': [one], '2026-03-03': [two] } }, '/bookings'],
  'a map of statuses': [{ bookings: { confirmed: [one], pending: [two] } }, '/bookings'],
  'records with their fields below': [{ data: bookings.map(({ id, ...attributes }) => ({ id, attributes })) }, '/data'],
};

test.for(Object.entries(shapes))('%s', ([, [data, pointer]]) => {
  const found = findMainList(data, 'booking');
  expect(found?.pointer).toBe(pointer);
  expect(found?.rows.map(({ id }) => id)).toEqual(['b1', 'b2']);
});

/** Data of exports in which no list of records can be found. */
const unreadable: Readonly<Record<string, unknown>> = {
  'a link': { download_url: 'https://files.example.com/x.csv' },
  'rows of values': { columns: ['id', 'status'], rows: [['b1', 'confirmed']] },
  'counts that nothing names': { overview: [{ status: 'confirmed', count: 3 }] },
  'counts alone': { by_status: [{ status: 'confirmed', count: 3 }] },
  'two lists that nothing tells apart': { left: [{ a: 1 }], right: [{ b: 2 }] },
};

test.for(Object.entries(unreadable))('nothing in %s', ([, data]) => {
  expect(findMainList(data, 'booking')).toBeUndefined();
});

test('a map by ids without digits', () => {
  const found = findMainList({ export: { bkg_sdkfwoeprt: { at: 1 }, bkg_qwertzuiop: { at: 2 } } }, 'booking');
  expect(found?.rows.map(({ id }) => id)).toEqual(['bkg_sdkfwoeprt', 'bkg_qwertzuiop']);
});

test('a map by ids whose rows name what they refer to', () => {
  const found = findMainList({ bookings: { '-Ob1': { lead_id: '-Ol7' }, '-Ob2': { lead_id: '-Ol7' } } }, 'booking');
  expect(found?.rows.map(({ id }) => id)).toEqual(['-Ob1', '-Ob2']);
});

test('the only row itself, where the list stood', () => {
  expect(listLike({ bookings: { booking: { id: 'b1' } } }, '/bookings/booking', 'booking')?.rows).toHaveLength(1);
});

test.for([[], {}, null, [{ date: '2026-03-02', bookings: [] }], { '2026-03-02': [] }])(
  'empty where the list stood: %j',
  (empty) => {
    expect(listLike({ days: empty }, '/days', 'booking')?.rows).toEqual([]);
  },
);
