import { describe, expect, test } from 'vitest';
import { Skipped } from '../../../../../results/stop.ts';
import { developerApi } from '../../../../../suites/developer/api.ts';
import type { ApiKey } from '../../../../../suites/session/key.ts';
import { createPolicy } from '../../../../../suites/session/pace/policy.ts';
import { workspaceApi } from '../../../../../suites/workspace/api.ts';

const apis = { developer: developerApi, workspace: workspaceApi };

const key = (environment: ApiKey['environment'], origin: ApiKey['origin'] = 'given', secret = 'a-secret'): ApiKey => ({
  secret,
  label: `the ${environment} key`,
  environment,
  origin,
});

const rules = { WRITES: 'sandbox', EXHAUST: 'own' } as const;
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
  ['sandbox', 'developer', key('sandbox'), true],
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
  for (const method of ['POST', 'PATCH', 'DELETE', 'PUT']) {
    expect(
      allows(() => {
        createPolicy(apis[api], { ...rules, WRITES }).admit({ method, key: who });
      }),
    ).toBe(expected);
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    expect(
      allows(() => {
        createPolicy(apis[api], { ...rules, WRITES }).admit({ method, key: who });
      }),
    ).toBe(true);
  }
});

test.for([
  ['none', 'own', false],
  ['none', 'given', false],
  ['own', 'own', true],
  ['own', 'given', false],
  ['all', 'own', true],
  ['all', 'given', true],
] as const)('EXHAUST=%s, a key that is %s: may be used up: %s', ([EXHAUST, origin, expected]) => {
  expect(
    allows(() => {
      createPolicy(developerApi, { ...rules, EXHAUST }).assertMayExhaust(key('sandbox', origin));
    }),
  ).toBe(expected);
});

describe('MAX_REQUESTS', () => {
  const create = { method: 'POST', key: null, creates: true };
  const remove = { method: 'DELETE', key: null };
  const read = { method: 'GET', key: null };
  const limitedTo = (MAX_REQUESTS: number) => {
    const policy = createPolicy(developerApi, { ...rules, WRITES: 'all', MAX_REQUESTS });
    const mayAdmit = (call: Parameters<typeof policy.admit>[0]): boolean => allows(() => policy.admit(call));
    return { policy, mayAdmit };
  };

  test('counts sent requests, and reserves two for each record, and five for all of them', () => {
    const { policy, mayAdmit } = limitedTo(9);
    expect([mayAdmit(create), mayAdmit(read), mayAdmit(read), policy.sent]).toEqual([true, true, false, 2]);
    expect(mayAdmit(create)).toBe(false);
    policy.releaseReserved();
    expect([mayAdmit(read), policy.sent]).toEqual([true, 3]);
  });

  test('lets clean-up spend what is reserved', () => {
    const { policy, mayAdmit } = limitedTo(9);
    expect([mayAdmit(create), mayAdmit(read), mayAdmit(remove)]).toEqual([true, true, false]);
    policy.spendReserved();
    expect(Array.from({ length: 8 }, () => mayAdmit(remove))).toEqual([...Array(7).fill(true), false]);
  });
});
