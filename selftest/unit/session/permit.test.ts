import { expect, test } from 'vitest';
import { Skipped } from '../../../results/stop.ts';
import type { ApiKey } from '../../../suites/session/key.ts';
import { createPermit } from '../../../suites/session/permit.ts';

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
        createPermit(api, { ...rules, WRITES }).spend(method, who);
      }),
    ).toBe(expected);
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    expect(
      allows(() => {
        createPermit(api, { ...rules, WRITES }).spend(method, who);
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
      createPermit('developer', { ...rules, EXHAUST }).exhaust(key('sandbox', origin));
    }),
  ).toBe(expected);
});

test('MAX_REQUESTS counts what is sent, and keeps one request for the delete of each create', () => {
  const permit = createPermit('developer', { ...rules, WRITES: 'all', MAX_REQUESTS: 3 });
  const spend = (): boolean =>
    allows(() => {
      permit.spend('GET', null);
    });
  permit.reserve();
  expect([spend(), spend(), spend(), permit.sent]).toEqual([true, true, false, 2]);
  expect(
    allows(() => {
      permit.reserve();
    }),
  ).toBe(false);
  permit.release();
  expect([spend(), spend(), permit.sent]).toEqual([true, false, 3]);
});
