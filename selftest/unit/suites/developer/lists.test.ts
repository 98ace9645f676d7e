import { expect, test } from 'vitest';
import { listLike, listOf } from '../../../../suites/developer/support/rows.ts';

const rows = [
  { id: 'b1', status: 'confirmed', customer: 'Zoë', starts_at: '2026-03-02T09:00:00Z' },
  { id: 'b2', status: 'pending', customer: 'Ada', starts_at: '2026-03-03T09:00:00Z' },
];
const [one, two] = rows;

/** Data of an export, and where its bookings stand. */
const shapes: Readonly<Record<string, readonly [data: unknown, pointer: string]>> = {
  'a list of its name': [{ bookings: rows }, '/bookings'],
  'a generic list': [{ items: rows, page: { number: 1 } }, '/items'],
  'a list of any name': [{ table: rows, note: 'all' }, '/table'],
  'a list below its name': [{ bookings: { data: rows, count: 2 } }, '/bookings/data'],
  'counts of its name first': [{ booking_counts: [{ status: 'confirmed', count: 1 }], bookings: rows }, '/bookings'],
  'counts of its name beside a generic list': [{ bookings_by_status: [{ status: 'x', n: 1 }], rows }, '/rows'],
  'counts that nothing names': [{ overview: [{ status: 'x', count: 1 }], table: rows }, '/table'],
  'columns and filters': [
    { columns: [{ name: 'id' }], filters: [{ name: 'status', values: ['x'] }], table: rows },
    '/table',
  ],
  'lists in its rows': [{ bookings: rows.map((row) => ({ ...row, guests: [{ name: 'Li' }] })) }, '/bookings'],
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
  'a map of days': [{ bookings: { '2026-03-02': [one], '2026-03-03': [two] } }, '/bookings'],
  'a map of statuses': [{ bookings: { confirmed: [one], pending: [two] } }, '/bookings'],
  'records with their fields below': [{ data: rows.map(({ id, ...attributes }) => ({ id, attributes })) }, '/data'],
};

test.for(Object.entries(shapes))('%s', ([, [data, pointer]]) => {
  const found = listOf(data, ['booking']);
  expect(found?.pointer).toBe(pointer);
  expect(found?.rows.map(({ id }) => id)).toEqual(['b1', 'b2']);
});

/** Data of exports in which no list of records can be found. */
const unreadable: Readonly<Record<string, unknown>> = {
  'a link': { download_url: 'https://files.example.com/x.csv' },
  'rows of values': { columns: ['id', 'status'], rows: [['b1', 'confirmed']] },
  'counts alone': { by_status: [{ status: 'confirmed', count: 3 }] },
  'two lists that nothing tells apart': { left: [{ a: 1 }], right: [{ b: 2 }] },
};

test.for(Object.entries(unreadable))('nothing in %s', ([, data]) => {
  expect(listOf(data, ['booking'])).toBeUndefined();
});

test.for([[], {}, null, [{ date: '2026-03-02', bookings: [] }], { '2026-03-02': [] }])(
  'empty where the list stood: %j',
  (empty) => {
    expect(listLike({ days: empty }, '/days', 'booking')?.rows).toEqual([]);
  },
);
