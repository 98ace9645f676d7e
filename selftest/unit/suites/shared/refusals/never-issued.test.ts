import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSettings } from '../../../../../settings/settings.ts';
import { developerApi } from '../../../../../suites/developer/api.ts';
import { fragmentKeys, nearMissKeys, neverIssuedKeys } from '../../../../../suites/shared/refusals/never-issued.ts';
import { workspaceApi } from '../../../../../suites/workspace/api.ts';
import { fakeAnswer, fakeRecording } from '../../fake-answer.ts';

type Session = Parameters<typeof neverIssuedKeys>[0];
const session = (api: Session['api'], env: Record<string, string>): Session => ({
  ...{ api, seed: 3, tag: 'self3' },
  settings: parseSettings(env),
});
const holding = (SANDBOX_API_KEY: string, more: Record<string, string> = {}): Session =>
  session(developerApi, { BASE_URL: 'http://api.test', SANDBOX_API_KEY, ...more });
const inWorkspace = (WORKSPACE_API_KEY: string, more: Record<string, string> = {}): Session =>
  session(workspaceApi, { WORKSPACE_API_URL: 'http://api.test', WORKSPACE_API_KEY, ...more });

const kindOf = (letter: string): string =>
  ['[0-9]', '[a-z]', '[A-Z]'].find((kind) => new RegExp(kind).test(letter)) ?? letter;

test('no form is the key itself; one differs only in its last character, which stays a digit, or a letter of the same case', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 12, maxLength: 60, unit: fc.constantFrom(...'abzABZ0189ilou') }), (rest) => {
      const secret = `svc_test_${rest}`;
      const forms = neverIssuedKeys(holding(secret)).map((key) => key.secret);
      expect(forms).not.toContain(secret);
      const altered = forms.filter(
        (form) => form.length === secret.length && form.slice(0, -1) === secret.slice(0, -1),
      );
      expect(altered.map((form) => kindOf(form.at(-1) ?? ''))).toEqual([kindOf(secret.at(-1) ?? '')]);
      expect(new Set(forms).size).toBe(forms.length);
      expect(forms.filter((form) => form !== '').every((form) => form.length >= 15)).toBe(true);
    }),
  );
});

test('text that is sent instead of a key and is not part of one is not a secret', () => {
  const secret = 'svc_test_Xw3kQ9mZt7Lr2Bv8';
  const part = (form: string): boolean => form.toLowerCase().includes('xw3kq9mz') || form.includes('svc_test_');
  const words = fragmentKeys(holding(secret)).filter(({ secret: form }) => !part(form));
  expect(words.map(({ isWord }) => isWord)).toEqual(words.map(() => true));
  const learnt: string[] = [];
  for (const key of words) {
    const call = { method: 'GET', path: '/api/v1/platform/me', key } as const;
    fakeAnswer({ status: 401 }, 'GET /api/v1/platform/me', {
      call,
      recording: fakeRecording((text) => learnt.push(text)),
    });
  }
  expect([words.length, learnt]).toEqual([5, []]);
});

test('unknown keys begin like documented ones, and the empty key comes last', () => {
  const forms = neverIssuedKeys(holding('svc_test_ofTheTest0123456789')).map(({ label, secret }) => [label, secret]);
  expect(forms).toEqual([
    ['unknown test key', expect.stringMatching(/^svc_test_[a-zA-Z]{9}[0-9]{10}/)],
    ['unknown live key', expect.stringMatching(/^svc_live_[a-zA-Z]{9}[0-9]{10}/)],
    ['unknown key without a prefix', expect.stringMatching(/^[a-zA-Z]{9}[0-9]{10}/)],
    ['SANDBOX_API_KEY altered in its last character', 'svc_test_ofTheTest0123456783'],
    ['empty key', ''],
  ]);
});

test.for([
  ['wsk_6IlsJq3C28e70hxqAAAABBBBCCCCDDDD', /^wsk_[0-9][A-Z][a-z]{2}[A-Z][a-z][0-9]/],
  ['wsk_live_6IlsJq3C28e70hxq', /^wsk_live_[0-9][A-Z]/],
  ['wsk_0123456789abcdef0123456789abcdef', /^wsk_[0-9]{10}[a-f]{6}[0-9]{10}[a-f]{6}$/],
  ['plainsecretwithoutanyprefix', /^[a-z]{27}$/],
] as const)('an unknown workspace key looks like %s', ([secret, look]) => {
  const [unknown] = neverIssuedKeys(inWorkspace(secret));
  expect(unknown.secret).toMatch(look);
  expect(unknown.secret.slice(-8)).not.toBe(secret.slice(-8));
});

test('near misses are the key with one change', () => {
  const secret = 'svc_test_ofTheTest0123456789';
  const forms = nearMissKeys(holding(secret)).map((key) => key.secret);
  expect(forms).toEqual([
    'svc_test_ofTheTesT0123456789',
    expect.stringMatching(/^svc_test_ofTheTest.*6789$/),
    `${secret}0`,
    `${secret};0`,
    secret.slice(0, -1),
  ]);
  expect(forms).not.toContain(secret);
  const withLive = nearMissKeys(holding(secret, { LIVE_API_KEY: 'svc_live_Xw3kQ9mZt7Lr' }));
  expect(withLive.map((key) => key.secret)).toEqual([...forms, 'svc_live_Xw3kQ9mZt7Lr0']);
});

test.each([
  ['svc_test_ofTheTest0123456789', 'svc_live_ofTheTest0123456789'],
  ['svc_test_ofTheTest0123456789', 'svc_live_ofTheTest0123456783'],
])('a given key is not taken for one that was never issued: %s beside %s', (sandbox, live) => {
  const both = holding(sandbox, { LIVE_API_KEY: live });
  const made = [neverIssuedKeys, nearMissKeys, fragmentKeys].flatMap((keysOf) => keysOf(both));
  expect(made.map(({ secret }) => secret)).not.toContain(live);
});

test('where the last character differs from that of another given key alone, another one is altered', () => {
  const [first, second] = ['wk_of_the_desk_0123456789', 'wk_of_the_desk_0123456783'];
  const both = inWorkspace(first, { WORKSPACE_SECOND_API_KEY: second });
  const forms = neverIssuedKeys(both).map(({ secret }) => secret);
  expect(neverIssuedKeys(inWorkspace(first)).map(({ secret }) => secret)).toContain(second);
  expect(forms).not.toContain(second);
  expect(forms.filter((form) => form.startsWith('wk_of_the_desk_01234567') && form.endsWith('9'))).toHaveLength(1);
});
