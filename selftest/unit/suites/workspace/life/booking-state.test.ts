import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../common/json.ts';
import { isStillBooked, stateAfterCancellation } from '../../../../../suites/workspace/life/booking-state.ts';

test.each<[JsonObject, JsonObject]>([
  [{ status: 'Scheduled' }, { status: 'Cancelled' }],
  [{ fields: { Status: 'Scheduled' } }, { fields: { Status: 'Canceled' } }],
  [{ booking_state: 'PLANNED' }, { booking_state: 'VOID' }],
  [{ cancelled_at: null }, { cancelled_at: '2026-03-01T09:00:00Z' }],
])('a booking that stays %j is not cancelled, and one that becomes %j is', (before, after) => {
  expect(isStillBooked(before, before)).toBe(true);
  expect(stateAfterCancellation(before, after)).toBe('cancelled');
});

test('where other rows say that they are cancelled, another word means something else', () => {
  const [before, row] = [{ status: 'planned' }, { status: 'completed' }];
  expect(stateAfterCancellation(before, row)).toBe('cancelled');
  expect(stateAfterCancellation(before, row, [{ status: 'canceled' }])).toBe('completed');
  expect(stateAfterCancellation({}, { status: 'scheduled' })).toBe('scheduled');
});

test('the state of a place or a person is not that of the booking', () => {
  const row = { id: 1, address: { state: 'CA' } };
  expect(stateAfterCancellation(row, row)).toBe('unknown');
});
