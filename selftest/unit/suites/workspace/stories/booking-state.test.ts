import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../common/json.ts';
import { stateAfterCancellation } from '../../../../../suites/workspace/stories/booking-state.ts';

test.each<[before: JsonObject, row: JsonObject, others: readonly JsonObject[], state: string]>([
  [{ booking_state: 'PLANNED' }, { booking_state: 'PLANNED' }, [], 'PLANNED'],
  [{ cancelled_at: null }, { cancelled_at: '2026-03-01T09:00:00Z' }, [], 'cancelled'],
  // A word of its own, unless other rows have the usual one.
  [{ status: 'planned' }, { status: 'void' }, [], 'cancelled'],
  [{ status: 'planned' }, { status: 'completed' }, [{ status: 'canceled' }], 'completed'],
  // As a Rails enum is stored.
  [{ status: 0 }, { status: 2 }, [], 'cancelled'],
  [{ status: 1 }, { status: 1 }, [], 'unknown'],
])('a booking that was %j and is %j, where others are %j: %s', (before, row, others, state) => {
  expect(stateAfterCancellation(before, row, others)).toBe(state);
});
