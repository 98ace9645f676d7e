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

test('headers of the user go with each call, except where the call has them itself', () => {
  const extra = { 'x-bypass': 'token', 'user-agent': 'other' };
  const call = { method: 'GET', path: '/api/v1/platform/me', key: null };
  const names = wireOf(developerApi, 'https://api.test', call, extra).headers.map(([name]) => name);
  expect(names).toEqual(['Accept', 'User-Agent', 'Accept-Encoding', 'Accept-Language', 'x-bypass']);
});
