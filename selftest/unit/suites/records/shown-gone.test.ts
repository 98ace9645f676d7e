import { expect, test } from 'vitest';
import { changedState, isShownGone } from '../../../../suites/records/shown-gone.ts';

test.each([
  [{ status: 'active' }, { status: 'revoked' }],
  [{ state: 'ACTIVE' }, { state: 'DELETED' }],
  [{ state: 'active' }, { state: 'expired' }],
  [{ revoked_at: null }, { revoked_at: '2026-03-14T09:30:00.000Z' }],
  [{}, { meta: { archived: true } }],
  [{ is_active: true }, { is_active: false }],
  [{ enabled: true }, { enabled: false }],
  [{ is_deleted: '0' }, { is_deleted: '1' }],
  [{ cancellation: null }, { cancellation: { canceled_by: 'api' } }],
  [{ cancellation: { at: null, by: null } }, { cancellation: { at: '2026-03-14', by: null } }],
  [{ canceled: { booleanValue: false } }, { canceled: { booleanValue: true } }],
])('%j that has become %j is gone', (before, after) => {
  expect(isShownGone(after, before)).toBe(true);
});

test.each([
  [{ status: 'active' }, { status: 'active' }],
  [{ events: ['booking.cancelled'] }, { events: ['booking.cancelled'] }],
  [{ deletable: true }, { deletable: true }],
  [{ expires_at: '2027-01-01' }, { expires_at: '2027-01-01' }],
  [{}, { expires_at: '2027-01-01' }],
  [{ deleted: false }, { deleted: false }],
  [{}, { deleted: '0', removed_at: '', archived: 'false', revocation: {}, deleted_on: '0000-00-00' }],
  [{}, { cancel_url: 'https://x.example/c', deletable: true, can_cancel: 1, _links: { delete: { href: '/x' } } }],
  [{}, { actions: ['cancel', 'archive'], cancellation_policy: '24h', activated_at: '2026-03-14' }],
  [{}, { canceled: { booleanValue: false }, cancellation: { at: null, reason: null } }],
  [{ last_used_at: null }, { last_used_at: '2026-03-14T09:30:00.000Z' }],
])('%j that has become %j is still there', (before, after) => {
  expect(isShownGone(after, before)).toBe(false);
});

test.each([
  [{ lifecycle: 'live' }, { lifecycle: 'trashed' }, 'lifecycle'],
  [{ discarded_at: null }, { discarded_at: '2026-03-14T09:30:00.000Z' }, 'discarded_at'],
  [{ meta: { trashedOn: null } }, { meta: { trashedOn: 1_773_480_413 } }, 'trashedOn'],
  [{ updated_at: null }, { updated_at: '2026-03-14T09:30:00.000Z' }, undefined],
  [{}, { discarded_at: '2026-03-14T09:30:00.000Z' }, undefined],
])('%j that has become %j may be gone by %s', (before, after, name) => {
  expect(changedState(after, before)).toBe(name);
});
