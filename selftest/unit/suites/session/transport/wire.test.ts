import { expect, test } from 'vitest';
import { developerApi } from '../../../../../suites/developer/api.ts';
import { wireOf } from '../../../../../suites/session/transport/wire.ts';

test('every call says which client sends it, since firewalls refuse those that do not', () => {
  const { headers } = wireOf(developerApi, 'https://api.test', {
    method: 'GET',
    path: '/api/v1/platform/me',
    key: null,
  });
  expect(new Map(headers).get('User-Agent')).toMatch(/^two-api-conformance\/\d+\.\d+\.\d+/);
});
