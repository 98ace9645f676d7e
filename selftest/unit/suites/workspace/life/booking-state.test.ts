import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../common/json.ts';
import { stateAfterCancellation } from '../../../../../suites/workspace/life/booking-state.ts';

test.each<[JsonObject, JsonObject]>([
  [{ Status__c: 'Scheduled' }, { Status__c: 'Cancelled' }],
  [{ fields: { Status: 'Scheduled' } }, { fields: { Status: 'Cancelled' } }],
  [{ sys: { status: 'scheduled' } }, { sys: { status: 'cancelled' } }],
  [{ state: { value: 'scheduled', label: 'Scheduled' } }, { state: { value: 'cancelled', label: 'Cancelled' } }],
  [{ StatusCode: 'PLANNED' }, { StatusCode: 'CANCELLED' }],
])('a booking that stays %j is not cancelled, and one that becomes %j is', (before, after) => {
  expect(stateAfterCancellation(before, before)).toBe('scheduled');
  expect(stateAfterCancellation(before, after)).toBe('cancelled');
});

test('where other rows say that they are cancelled, a row with another word there is not', () => {
  const row = { id: 1, statut: 'planned' };
  expect(stateAfterCancellation(row, row)).toBe('unknown');
  expect(stateAfterCancellation(row, row, [{ id: 2, statut: 'canceled' }])).toBe('scheduled');
  expect(stateAfterCancellation(row, row, [{ id: 2, statut: 'planned' }])).toBe('unknown');
});

test('the state of a place or a person is not that of the booking', () => {
  const row = { id: 1, address: { state: 'CA' } };
  expect(stateAfterCancellation(row, row)).toBe('unknown');
});
