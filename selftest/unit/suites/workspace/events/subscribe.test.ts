import { expect, test } from 'vitest';
import { subscribesTo } from '../../../../../suites/workspace/records/run-records.ts';

test.each<[boolean, unknown]>([
  [true, { topic: 'BOOKING_CREATED' }],
  [true, { events: ['*'] }],
  [true, { url: 'https://example.com' }],
  [false, { events: ['lead.*'] }],
])('whether a registration asks for booking.created is %s: %j', (expected, body) => {
  expect(subscribesTo({ body }, 'booking.created')).toBe(expected);
});
