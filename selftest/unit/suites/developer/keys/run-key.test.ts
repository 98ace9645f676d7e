import { expect, test } from 'vitest';
import { findSecrets } from '../../../../../suites/developer/keys/run-key.ts';

const secret = 'svc_live_aaaaaaaaaaaaaaaa9fK2mQ7x';

test.each<[string, object, string[]]>([
  ['by the prefix, in whatever field', { id: 'key_1', key: secret.slice(0, 13), shown_once: secret }, [secret]],
  ['by the name of the field', { id: 'key_1_a8f3c9d2e7b1', apiKey: 'sk-9fK2mQ7xB4tR', name: 'x' }, ['sk-9fK2mQ7xB4tR']],
  ['not where it is masked', { id: 'key_1', key: 'svc_test_••••••••••••9fK2' }, []],
])('the secret of a new key is found %s', (_, json, found) => {
  expect(findSecrets(json).map(({ value }) => value)).toEqual(found);
});
