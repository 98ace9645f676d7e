import { expect, test } from 'vitest';
import { subscribesTo } from '../../../../../suites/workspace/events/subscribe.ts';

test.each<[boolean, unknown]>([
  [true, { events: ['lead.routed', 'booking.created'] }],
  [true, { topic: 'BOOKING_CREATED' }],
  [true, { events: ['booking.*'] }],
  [true, { events: ['*'] }],
  [true, { url: 'https://example.com' }],
  [true, { events: { 'booking.created': true, 'lead.routed': false } }],
  [true, { events: { booking_created: { version: 1 } } }],
  [false, { events: ['booking.cancelled'] }],
  [false, { events: ['lead.*'] }],
  [false, { events: { 'booking.created': false, 'lead.routed': true } }],
  [false, { events: {} }],
  [false, { webhook: { event_types: [] } }],
])('whether a registration asks for booking.created is %s: %j', (expected, body) => {
  expect(subscribesTo({ attempt: { body, answer: { json: {} } } }, 'booking.created')).toBe(expected);
});

test.each<[boolean, string, unknown]>([
  [false, 'the field that the answer shows', { subscriptions: [{ event_type: 'lead.routed' }] }],
  [true, 'all fields, where the answer shows none of them', { id: 7 }],
])('whether a registration asks for booking.created is %s by %s', (expected, _, json) => {
  const body = { events: ['booking.created'], subscriptions: [{ event_type: 'lead.routed' }] };
  expect(subscribesTo({ attempt: { body, answer: { json } } }, 'booking.created')).toBe(expected);
});
