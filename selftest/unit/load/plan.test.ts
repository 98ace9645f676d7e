// The plan of a script follows from variables alone, whether k6 or the command makes it.
import { expect, it } from 'vitest';
import { type KeyMaker, makeKeys } from '../../../load/runner/keys.ts';
import { k6Environment } from '../../../load/runner/launch.ts';
import { planOf } from '../../../load/seam/make-plan.ts';
import type { ScriptName, Variables } from '../../../load/seam/plan.ts';

const given = {
  BASE_URL: 'http://127.0.0.1:9/',
  SANDBOX_API_KEY: 'svc_test_given0123',
  LIVE_API_KEY: 'svc_live_given0123',
  ENTERPRISE_API_KEY: 'svc_live_large0123',
  WORKSPACE_API_URL: 'http://127.0.0.1:8',
  WORKSPACE_API_KEY: 'wsk_given0123',
  WORKSPACE_SECOND_API_KEY: 'wsk_second0123',
};
const tried = (script: ScriptName, env: Variables): string[] => planOf(script, env).subjects.map(({ label }) => label);

it('limits of all given keys are used up with EXHAUST=all, or of those that are named', () => {
  const env = { ...given, EXHAUST: 'all' };
  const all = ['SANDBOX_API_KEY', 'LIVE_API_KEY', 'ENTERPRISE_API_KEY', 'WORKSPACE_API_KEY'];
  expect(tried('per-minute', env)).toEqual(all);
  expect(tried('burst', { ...env, LOAD_KEY: 'workspace,live' })).toEqual(['LIVE_API_KEY', 'WORKSPACE_API_KEY']);
});
it('limits of no given key are used up with EXHAUST=own, the default, or none; soak stays under the limit', () => {
  const own = planOf('per-minute', given);
  expect(own.subjects).toEqual([]);
  expect(own.trouble).toMatch(/^No key can be tried: SANDBOX_API_KEY: .* needs EXHAUST=all \(now: own\)/);
  expect(planOf('burst', { ...given, EXHAUST: 'none' }).trouble).toMatch(/or EXHAUST=own for a key .*\(now: none\)/);
  expect(tried('soak', { ...given, EXHAUST: 'none' })).toHaveLength(4);
});
it('shared needs the second key of a pair', () => {
  const env = { ...given, EXHAUST: 'all' };
  expect(tried('shared', env)).toEqual(['WORKSPACE_API_KEY']);
  expect(planOf('shared', env).skipped).toMatchObject([{ why: expect.stringMatching(/LOAD_SECOND_API_KEY is not/) }]);
});

const maker = (make: KeyMaker['make']): KeyMaker => ({ make, close: () => Promise.resolve([]) });

it('keys of the run take the places of given ones, and nobody else uses them', async () => {
  const variables = await makeKeys(
    'per-minute',
    { ...given, EXHAUST: 'own' },
    maker((environment) => Promise.resolve({ secret: `made ${environment}` })),
  );
  const { subjects } = planOf('per-minute', { ...given, EXHAUST: 'own', ...variables });
  expect(subjects.map(({ label, alone }) => [label, alone])).toEqual([
    ['own sandbox key', true],
    ['own live key', true],
  ]);
  expect(variables.LIVE_API_KEY).toBe('made live');
});
it('where a key of the run cannot be made, the plan says why', async () => {
  const env = { ...given, EXHAUST: 'own', LOAD_KEY: 'live' };
  const own = await makeKeys(
    'burst',
    env,
    maker(() => Promise.resolve({ why: 'WRITES=sandbox' })),
  );
  const { skipped } = planOf('burst', { ...env, ...own });
  expect(skipped).toMatchObject([{ why: expect.stringMatching(/^No live key could be made \(WRITES=sandbox\)/) }]);
});
it('no keys are made for soak', async () => {
  const never = maker(() => Promise.reject(new Error('made')));
  expect(await makeKeys('soak', { ...given, EXHAUST: 'own' }, never)).toMatchObject({ LOAD_OWN: '' });
});

it.each([
  [{ LOAD_FOR: 'long' }, /--for \(LOAD_FOR\): got "long", must be a duration/],
  [{ LOAD_KEY: 'root' }, /--key .* some of sandbox, live, enterprise, workspace/],
  [{ WORKSPACE_PLAN: 'free', EXHAUST: 'all' }, /WORKSPACE_PLAN: got "free", must be one of starter/],
])('%j cannot be used', (wrong, line) => {
  expect(() => planOf('soak', { ...given, ...wrong })).toThrow(line);
});

it('more requests than MAX_REQUESTS and a day without end are refused before anything is sent', () => {
  expect(planOf('soak', { ...given, MAX_REQUESTS: '50' }).trouble).toMatch(/MAX_REQUESTS is 50; set it higher/);
  expect(planOf('per-day', { ...given, EXHAUST: 'all' }).trouble).toMatch(/unlimited day.*--calls/);
});

it('what the user gives to k6 is passed on; other keys are not', () => {
  const env = k6Environment({
    env: { PATH: '/bin', K6_OUT: 'json=x', K6_WEB_DASHBOARD: 'true', WORKSPACE_OTHER_API_KEY: 'o' },
    variables: { LIVE_API_KEY: 'k' },
  });
  expect(env).toMatchObject({ K6_OUT: 'json=x', K6_WEB_DASHBOARD: 'true', LIVE_API_KEY: 'k', PATH: '/bin' });
  expect(env).toMatchObject({ K6_NO_USAGE_REPORT: 'true', K6_WEB_DASHBOARD_HOST: '127.0.0.1' });
  expect(env.WORKSPACE_OTHER_API_KEY).toBeUndefined();
});
