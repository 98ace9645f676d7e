import { expect, test } from 'vitest';
import { findSecrets } from '../../../../../suites/developer/keys/find-secrets.ts';

const shown = (json: unknown): string[] => findSecrets(json).map(({ secret }) => secret);

test('a secret may repeat a letter or a digit', () => {
  for (const secret of ['svc_test_9fK2mQ7xB4tR0000000000000000', 'svc_live_aaaaaaaaaaaaaaaa9fK2mQ7x']) {
    expect(shown({ id: 'key_1', key: secret })).toEqual([secret]);
  }
});

test('a text that hides characters is no secret', () => {
  for (const masked of [
    'svc_test_xxxxxxxxxxxx9fK2',
    'svc_test_XXXXXXXXXXXX9fK2',
    'svc_test_############9fK2',
    'svc_test_------------',
  ]) {
    expect(shown({ id: 'key_1', key: masked })).toEqual([]);
  }
});

test('the path of a key is no secret', () => {
  expect(shown({ id: 'key_1', links: { self: '/api/v1/developer/keys/key_fc8362c3a41f486a8924/rotate' } })).toEqual([]);
});
