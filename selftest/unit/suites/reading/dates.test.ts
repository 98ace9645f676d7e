import { expect, test } from 'vitest';
import { isDate } from '../../../../suites/reading/dates.ts';

const instant = Date.UTC(2026, 10, 24, 12);

test.each([
  '2026-11-24T12:00:00Z',
  '2026-11-24T13:00:00.000+01:00',
  'Tue, 24 Nov 2026 12:00:00 GMT',
  instant,
  instant / 1000,
  String(instant),
  String(instant / 1000),
])('a date is one in each of its forms: %s', (value) => {
  expect(isDate(value)).toBe(true);
});

test.each(['created', 17, '', null])('%s is no date', (value) => {
  expect(isDate(value)).toBe(false);
});
