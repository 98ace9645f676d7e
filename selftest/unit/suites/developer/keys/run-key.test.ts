import { expect, test } from 'vitest';
import { findSecrets } from '../../../../../suites/developer/keys/run-key.ts';

const shown = (json: unknown): string[] => findSecrets(json).map(({ secret }) => secret);

test('a secret has the prefix of a key, in whatever field, and may repeat a letter or a digit', () => {
  for (const secret of ['svc_test_9fK2mQ7xB4tR0000000000000000', 'svc_live_aaaaaaaaaaaaaaaa9fK2mQ7x']) {
    expect(shown({ id: 'key_1', key: secret.slice(0, 13), shown_once: secret })).toEqual([secret]);
  }
});

test('without that prefix, the name of the field tells', () => {
  expect(shown({ id: 'key_1_a8f3c9d2e7b1', apiKey: 'sk-9fK2mQ7xB4tR', name: 'run-1-first-key' })).toEqual([
    'sk-9fK2mQ7xB4tR',
  ]);
});

test('a masked text is no secret', () => {
  expect(shown({ id: 'key_1', key: 'svc_test_••••••••••••9fK2' })).toEqual([]);
});
