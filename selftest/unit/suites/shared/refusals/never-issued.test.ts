import { expect, test } from 'vitest';
import { nearMissKeys, neverIssuedKeys } from '../../../../../suites/shared/refusals/never-issued.ts';
import { testKeys, testSession } from '../../../test-session.ts';

test.for([
  ['wsk_live_6IlsJq3C28e70hxq', /^wsk_live_[0-9][A-Z]/],
  ['wsk_0123456789abcdef0123456789abcdef', /^wsk_[0-9]{10}[a-f]{6}[0-9]{10}[a-f]{6}$/],
] as const)('an unknown key looks like the given one: %s', ([given, look]) => {
  const [unknown] = neverIssuedKeys(testSession('workspace', { env: { WORKSPACE_API_KEY: given } }));
  expect(unknown.secret).toMatch(look);
  expect(unknown.secret.slice(-8)).not.toBe(given.slice(-8));
});

test('a given key is not taken for one that was never issued', () => {
  const given = testKeys.developer;
  const other = given.replace('test', 'live');
  const both = testSession('developer', { env: { LIVE_API_KEY: other } });
  const hasOther = (session: typeof both): boolean =>
    [...neverIssuedKeys(session), ...nearMissKeys(session)].some(({ secret }) => secret === other);
  expect([testSession('developer'), both].map(hasOther)).toEqual([true, false]);
});
