import { expect, test } from 'vitest';
import { Skipped } from '../../../../../results/outcome.ts';
import { developerApi } from '../../../../../suites/developer/api.ts';
import type { ApiKey } from '../../../../../suites/session/call.ts';
import { createPolicy } from '../../../../../suites/session/pace/policy.ts';
import { workspaceApi } from '../../../../../suites/workspace/api.ts';

const apis = { developer: developerApi, workspace: workspaceApi };
const rules = { WRITES: 'sandbox', EXHAUST: 'own' } as const;

const key = (environment: ApiKey['environment'], origin: ApiKey['origin'] = 'given', secret = 'a-secret'): ApiKey => {
  return { secret, label: `the ${environment} key`, environment, origin };
};

const allows = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Skipped);
    expect((error as Error).message).toMatch(/WRITES|EXHAUST|MAX_REQUESTS/);
    return false;
  }
};

test.for([
  ['none', 'developer', key('sandbox'), false],
  ['none', 'workspace', key('workspace'), false],
  ['sandbox', 'developer', key('sandbox', 'own'), true],
  ['sandbox', 'developer', key('live'), false],
  ['sandbox', 'developer', key('live', 'own'), false],
  ['sandbox', 'developer', key('enterprise'), false],
  ['sandbox', 'developer', null, true],
  ['sandbox', 'developer', key('sandbox', 'unknown', 'svc_test_never'), true],
  ['sandbox', 'developer', key('sandbox', 'unknown', 'svc_live_never'), false],
  ['sandbox', 'workspace', key('workspace'), false],
  ['all', 'developer', key('live'), true],
  ['all', 'workspace', key('workspace'), true],
] as const)('WRITES=%s, %s API, %o: may write: %s', ([WRITES, api, who, expected]) => {
  const may = (method: string): boolean =>
    allows(() => createPolicy(apis[api], { ...rules, WRITES }).admit({ method, key: who }));
  expect(['POST', 'PATCH', 'DELETE', 'PUT'].map(may)).toEqual(Array(4).fill(expected));
  expect(['GET', 'HEAD', 'OPTIONS'].map(may)).toEqual(Array(3).fill(true));
});

test.for([
  ['none', 'own', false],
  ['own', 'own', true],
  ['own', 'given', false],
  ['all', 'given', true],
] as const)('EXHAUST=%s, a key that is %s: may be used up: %s', ([EXHAUST, origin, expected]) => {
  const { assertMayExhaust } = createPolicy(developerApi, { ...rules, EXHAUST });
  expect(allows(() => assertMayExhaust(key('sandbox', origin)))).toBe(expected);
});

test('MAX_REQUESTS counts requests, and reserves two for each record and five for all of them, which clean-up may spend', () => {
  let records = 1;
  const policy = createPolicy(developerApi, { ...rules, WRITES: 'all', MAX_REQUESTS: 9 }, () => records);
  const may = (method: string): boolean => allows(() => policy.admit({ method, key: null }));
  expect([may('POST'), may('GET'), may('GET')]).toEqual([true, true, false]);
  records = 0;
  expect(may('GET')).toBe(true);
  records = 1;
  policy.spendReserved();
  expect(Array.from({ length: 7 }, () => may('DELETE'))).toEqual([...Array(6).fill(true), false]);
});
