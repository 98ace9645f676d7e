import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../../common/json.ts';
import {
  instantsIn,
  startsOf,
  timesOf,
  timestamp,
} from '../../../../../../suites/developer/support/filters/booking-times.ts';

const nine = Date.UTC(2026, 2, 2, 9);

test.for<JsonObject>([
  { starts_at: '2026-03-02T09:00:00Z' },
  { slot: { start: '2026-03-02T10:00:00+01:00' } },
  { start: nine },
  { start_time: nine / 1000 },
])('reads when a booking began: %j', (row) => {
  expect(startsOf([row])).toEqual([nine]);
  expect(timesOf([row], nine).shown).toEqual([nine]);
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
])('a booking whose start cannot be read may begin at any time: %j', (row) => {
  const { shown, starts } = timesOf([row], nine);
  expect(starts).toEqual([undefined]);
  expect([Math.min(...shown), Math.max(...shown)]).toEqual([Date.UTC(2006, 0, 1), Date.UTC(2031, 2, 1, 9)]);
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
