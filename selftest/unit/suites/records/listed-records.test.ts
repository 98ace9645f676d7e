import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../common/json.ts';
import { changedState, fateOf, isShownGone } from '../../../../suites/records/listed-records.ts';
import type { ListSearch } from '../../../../suites/records/reads.ts';

const at = '2026-03-14T09:30:00.000Z';

/** A row before and after a deletion: whether it says that its record is gone, and if not, which state has changed. */
test.each<[object, object, true | string | undefined]>([
  [{ status: 'active' }, { status: 'revoked' }, true],
  [{ revoked_at: null }, { revoked_at: at }, true],
  [{ enabled: true }, { enabled: false }, true],
  [{ is_deleted: '0' }, { is_deleted: '1' }, true],
  [{ cancellation: { at: null, by: null } }, { cancellation: { at: '2026-03-14', by: null } }, true],
  [{ lifecycle: 'live' }, { lifecycle: 'trashed' }, 'lifecycle'],
  [{ meta: { trashedOn: null } }, { meta: { trashedOn: 1_773_480_413 } }, 'trashedOn'],
  [{ events: ['booking.cancelled'] }, { events: ['booking.cancelled'] }, undefined],
  [{}, { expires_at: '2027-01-01', discarded_at: at }, undefined],
  [{}, { deleted: '0', removed_at: '', archived: 'false', revocation: {}, deleted_on: '0000-00-00' }, undefined],
  [{}, { actions: ['cancel', 'archive'], cancellation_policy: '24h', activated_at: at }, undefined],
])('%j that has become %j: %s', (before, after, gone) => {
  expect(isShownGone({ ...after }, { ...before }) || changedState({ ...after }, { ...before })).toBe(gone);
});

test.each<[before: JsonObject, row: JsonObject, others: readonly JsonObject[], fate: string]>([
  [{ booking_state: 'PLANNED' }, { booking_state: 'PLANNED' }, [], 'still listed'],
  [{ cancelled_at: null }, { cancelled_at: at }, [], 'gone'],
  [{ cancelled_at: null }, { cancelled_at: null }, [], 'still listed'],
  // A word of its own, unless other rows have the usual one.
  [{ status: 'planned' }, { status: 'void' }, [], 'gone'],
  [{ status: 'planned' }, { status: 'completed' }, [{ status: 'canceled' }], 'still listed'],
  // As a Rails enum is stored.
  [{ status: 0 }, { status: 2 }, [], 'gone'],
  [{ status: 1 }, { status: 1 }, [], 'unclear'],
])('a cancelled booking that was %j and is %j, where others are %j, is %s', (before, row, others, fate) => {
  const search = { row, last: { payload: { bookings: others } } } as unknown as ListSearch;
  expect(fateOf(search, { row: before, isShown: true }, { collection: '/v1/bookings' })).toBe(fate);
});
