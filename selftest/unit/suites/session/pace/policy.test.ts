import { expect, test } from 'vitest';
import { Skipped } from '../../../../../results/stop.ts';
import type { ApiKey } from '../../../../../suites/session/key.ts';
import { createPolicy } from '../../../../../suites/session/pace/policy.ts';

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
        createPolicy(api, { ...rules, WRITES }).admit({ method, key: who });
      }),
    ).toBe(expected);
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    expect(
      allows(() => {
        createPolicy(api, { ...rules, WRITES }).admit({ method, key: who });
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
      createPolicy('developer', { ...rules, EXHAUST }).assertMayExhaust(key('sandbox', origin));
    }),
  ).toBe(expected);
});

test('MAX_REQUESTS counts sent requests, and reserves one for the delete after each create', () => {
  const policy = createPolicy('developer', { ...rules, WRITES: 'all', MAX_REQUESTS: 3 });
  const create = { method: 'POST', key: null, creates: true };
  const spend = (): boolean =>
    allows(() => {
      policy.admit({ method: 'GET', key: null });
    });
  policy.admit(create);
  expect([spend(), spend(), policy.sent]).toEqual([true, false, 2]);
  expect(
    allows(() => {
      policy.admit(create);
    }),
  ).toBe(false);
  policy.releaseReserved();
  expect([spend(), spend(), policy.sent]).toEqual([true, false, 3]);
});
