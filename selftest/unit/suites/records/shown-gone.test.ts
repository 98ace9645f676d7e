import { expect, test } from 'vitest';
import { changedState, isShownGone } from '../../../../suites/records/shown-gone.ts';

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
