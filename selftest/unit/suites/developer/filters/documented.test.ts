import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../common/json.ts';
import { instantsIn, startOf, timestamp } from '../../../../../suites/developer/filters/documented.ts';

const nine = Date.UTC(2026, 2, 2, 9);

test.for<JsonObject>([
  { starts_at: '2026-03-02T09:00:00Z' },
  { slot: { start: '2026-03-02T10:00:00+01:00' } },
  { start: nine },
  { start_time: nine / 1000 },
])('reads when a booking began: %j', (row) => {
  expect(startOf(row)).toEqual(nine);
});

test("a birthday, a date that stands for 'never' and a price are not times", () => {
  const row = { customer: { birth_date: '1980-01-01' }, expires: '9999-12-31T00:00:00Z', price: 1_767_225_600 };
  expect(instantsIn(row)).toEqual([]);
});

test.for<JsonObject>([
  {},
  { created_at: '2026-03-02T09:00:00Z' },
  { starts_at: [2026, 6, 1, 9, 0], created_at: '2026-03-02T09:00:00Z' },
  { starts_at: 'Mon 1 June, 9 a.m.', made: '2026-03-02T09:00:00Z' },
])('a booking may show no start that can be read: %j', (row) => {
  expect(startOf(row)).toBeUndefined();
});

test.for([
  [{}, '2026-03-02T09:00:00.000Z'],
  [{ milliseconds: false }, '2026-03-02T09:00:00Z'],
  [{ offset: 14, milliseconds: false }, '2026-03-02T23:00:00+14:00'],
  [{ offset: -11 }, '2026-03-01T22:00:00.000-11:00'],
] as const)('an instant in each spelling: %j', ([form, text]) => {
  expect(timestamp(nine, form)).toBe(text);
  expect(Date.parse(text)).toBe(nine);
});
