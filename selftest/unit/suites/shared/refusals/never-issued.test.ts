import { expect, test } from 'vitest';
import { nearMissKeys, neverIssuedKeys } from '../../../../../suites/shared/refusals/never-issued.ts';
import { testSession } from '../../../test-session.ts';

/** A session whose main key is given, and other settings. */
const holding = (secret: string, more: Readonly<Record<string, string>> = {}) =>
  secret.startsWith('svc_')
    ? testSession('developer', { env: { SANDBOX_API_KEY: secret, ...more } })
    : testSession('workspace', { env: { WORKSPACE_API_KEY: secret, ...more } });
const secretsOf = (keys: ReturnType<typeof nearMissKeys>): string[] => keys.map(({ secret }) => secret);

const secret = 'svc_test_ofTheTest0123456789';

test.for([
  ['wsk_live_6IlsJq3C28e70hxq', /^wsk_live_[0-9][A-Z]/],
  ['wsk_0123456789abcdef0123456789abcdef', /^wsk_[0-9]{10}[a-f]{6}[0-9]{10}[a-f]{6}$/],
] as const)('an unknown key looks like the given one: %s', ([given, look]) => {
  const [unknown] = neverIssuedKeys(holding(given));
  expect(unknown.secret).toMatch(look);
  expect(unknown.secret.slice(-8)).not.toBe(given.slice(-8));
});

test('a given key is not taken for one that was never issued', () => {
  const other = 'svc_live_ofTheTest0123456789';
  const formsIn = (session: ReturnType<typeof holding>): string[] =>
    [neverIssuedKeys, nearMissKeys].flatMap((keysOf) => secretsOf(keysOf(session)));
  const both = holding(secret, { LIVE_API_KEY: other });
  expect([holding(secret), both].map((session) => formsIn(session).includes(other))).toEqual([true, false]);
  // Another character is altered in place of the last.
  const isNear = (form: string): boolean => form.startsWith(secret.slice(0, -2)) && form.length === secret.length;
  expect(secretsOf(neverIssuedKeys(both)).filter(isNear)).toHaveLength(1);
});
