import { expect, test } from 'vitest';
import { findMainList } from '../../../common/main-list.ts';

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
  expect(findMainList({ data: { agent: { id: 'a', name: 'A' } } }, 'agent')).toBeUndefined();
  expect(findMainList({ left: rows, right: rows }, 'agent')).toBeUndefined();
});
