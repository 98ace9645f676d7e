import { expect, test } from 'vitest';
import { findMainList, listLike } from '../../../../suites/reading/rows.ts';

const rows = [
  { id: 'a', name: 'A' },
  { id: 'b', name: 'B' },
];
const counts = [{ status: 'active', count: 2 }];

/** An answer, and the place of its agents, if one can be told. The looks of lists in the proof show the usual ones. */
const shapes: Readonly<Record<string, readonly [data: unknown, pointer?: string]>> = {
  'counts, columns and filters, and a list of any name': [
    { overview: counts, columns: [{ name: 'id' }], filters: [{ name: 'status', values: ['x'] }], table: rows },
    '/table',
  ],
  'an unrelated list comes first': [{ banners: [{ text: 'Hello' }], agents: rows }, '/agents'],
  'lists in its rows': [{ agents: rows.map((row) => ({ ...row, guests: [{ name: 'Li' }] })) }, '/agents'],
  Spring: [{ content: rows, pageable: { sort: [] }, sort: [] }, '/content'],
  'counts with an unrelated name': [{ overview: [{ status: 'confirmed', count: 3 }] }],
  'two lists of which neither is the likelier': [{ left: [{ a: 1 }], right: [{ b: 2 }] }],
  "a map by id, as Rust's HashMap, with an empty list in a record": [{ a: { ...rows[0], events: [] }, b: rows[1] }],
  "JSON-LD, with PHP's empty objects": [
    { member: ['a', 'b'].map((id) => ({ '@id': `/v1/agents/${id}`, id, settings: [] })) },
    '/member',
  ],
  'lists by day': [{ days: [{ date: '2026-03-02', agents: [rows[0]] }] }],
};

test.for(Object.entries(shapes))('%s', ([, [data, pointer]]) => {
  const found = findMainList(data, 'agent');
  expect([found?.pointer, found?.rows.map(({ id }) => id)]).toEqual([pointer, pointer && ['a', 'b']]);
});

test('an empty list may be written as an object, where another answer had the list there', () => {
  expect(listLike({ days: {} }, '/days', 'booking')?.rows).toEqual([]);
});
