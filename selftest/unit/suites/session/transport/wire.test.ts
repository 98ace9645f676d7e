import { expect, test } from 'vitest';
import { developerApi } from '../../../../../suites/developer/api.ts';
import { wireOf } from '../../../../../suites/session/transport/wire.ts';

test('every call says which client sends it; headers of the user go with it, except those that it has itself', () => {
  const call = { method: 'GET', path: '/api/v1/platform/me', key: null };
  const { headers } = wireOf(developerApi, 'https://api.test', call, { 'x-bypass': 'token', 'user-agent': 'other' });
  const version = expect.stringMatching(/^two-api-conformance\/\d+\.\d+\.\d+/);
  expect(headers.filter(([name]) => !/^accept/i.test(name))).toEqual([
    ['User-Agent', version],
    ['x-bypass', 'token'],
  ]);
});
