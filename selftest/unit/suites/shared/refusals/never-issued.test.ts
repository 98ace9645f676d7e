import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSettings } from '../../../../../settings/settings.ts';
import { developerApi } from '../../../../../suites/developer/api.ts';
import { fragmentKeys, nearMissKeys, neverIssuedKeys } from '../../../../../suites/shared/refusals/never-issued.ts';
import { workspaceApi } from '../../../../../suites/workspace/api.ts';
import { fakeAnswer, fakeRecording } from '../../fake-answer.ts';

type Session = Parameters<typeof neverIssuedKeys>[0];
/** A session whose main key is given, and other settings. */
const holding = (secret: string, more: Readonly<Record<string, string>> = {}): Session => {
  const url = 'http://api.test';
  const [api, env] = secret.startsWith('svc_')
    ? [developerApi, { BASE_URL: url, SANDBOX_API_KEY: secret }]
    : [workspaceApi, { WORKSPACE_API_URL: url, WORKSPACE_API_KEY: secret }];
  return { api, seed: 3, tag: 'self3', settings: parseSettings({ ...env, ...more }) };
};
const secretsOf = (keys: ReturnType<typeof nearMissKeys>): string[] => keys.map(({ secret }) => secret);

const kindOf = (letter = ''): string =>
  ['[0-9]', '[a-z]', '[A-Z]'].find((kind) => new RegExp(kind).test(letter)) ?? letter;

test('no form is the key itself; one differs only in its last character, which stays a digit, or a letter of the same case', () => {
  const letters = fc.string({ minLength: 12, maxLength: 60, unit: fc.constantFrom(...'abzABZ0189ilou') });
  fc.assert(
    fc.property(letters, (rest) => {
      const secret = `svc_test_${rest}`;
      const forms = secretsOf(neverIssuedKeys(holding(secret)));
      const altered = forms.filter((form) => form.length === secret.length && secret.startsWith(form.slice(0, -1)));
      expect(altered.map((form) => kindOf(form.at(-1)))).toEqual([kindOf(secret.at(-1))]);
      expect(new Set([...forms, secret]).size).toBe(forms.length + 1);
      expect(forms.filter((form) => form !== '' && form.length < 15)).toEqual([]);
    }),
  );
});

const secret = 'svc_test_ofTheTest0123456789';
const live = 'svc_live_Xw3kQ9mZt7Lr';

test('unknown keys begin like documented ones, and the empty key comes last', () => {
  expect(neverIssuedKeys(holding(secret)).map((key) => [key.label, key.secret])).toEqual([
    ['unknown test key', expect.stringMatching(/^svc_test_[a-zA-Z]{9}[0-9]{10}/)],
    ['unknown live key', expect.stringMatching(/^svc_live_[a-zA-Z]{9}[0-9]{10}/)],
    ['unknown key without a prefix', expect.stringMatching(/^[a-zA-Z]{9}[0-9]{10}/)],
    ['SANDBOX_API_KEY altered in its last character', 'svc_test_ofTheTest0123456784'],
    ['empty key', ''],
  ]);
});

test('near misses are a key with one change', () => {
  const forms = secretsOf(nearMissKeys(holding(secret, { LIVE_API_KEY: live })));
  expect(forms).toEqual([
    'svc_test_ofTheTesT0123456789',
    expect.stringMatching(/^svc_test_ofTheTest.*6789$/),
    `${secret}0`,
    `${secret};0`,
    secret.slice(0, -1),
    `${live}0`,
  ]);
  expect(forms).not.toContain(secret);
});

test('text that is sent instead of a key and is not part of one is not a secret', () => {
  const isPart = (form: string): boolean => /xw3kq9mz/i.test(form) || form.includes('svc_test_');
  const words = fragmentKeys(holding('svc_test_Xw3kQ9mZt7Lr2Bv8')).filter((key) => !isPart(key.secret));
  const learnt: string[] = [];
  const recording = fakeRecording((text) => learnt.push(text));
  for (const key of words) {
    const call = { method: 'GET', path: '/api/v1/platform/me', key } as const;
    fakeAnswer({ status: 401 }, 'GET /api/v1/platform/me', { call, recording });
  }
  expect([words.map(({ isWord }) => isWord), learnt]).toEqual([Array(5).fill(true), []]);
});

test.for([
  ['wsk_6IlsJq3C28e70hxqAAAABBBBCCCCDDDD', /^wsk_[0-9][A-Z][a-z]{2}[A-Z][a-z][0-9]/],
  ['wsk_live_6IlsJq3C28e70hxq', /^wsk_live_[0-9][A-Z]/],
  ['wsk_0123456789abcdef0123456789abcdef', /^wsk_[0-9]{10}[a-f]{6}[0-9]{10}[a-f]{6}$/],
  ['plainsecretwithoutanyprefix', /^[a-z]{27}$/],
] as const)('an unknown workspace key looks like %s', ([given, look]) => {
  const [unknown] = neverIssuedKeys(holding(given));
  expect(unknown.secret).toMatch(look);
  expect(unknown.secret.slice(-8)).not.toBe(given.slice(-8));
});

test.each([
  [secret, { LIVE_API_KEY: 'svc_live_ofTheTest0123456789' }],
  ['wk_of_the_desk_0123456789', { WORKSPACE_SECOND_API_KEY: 'wk_of_the_desk_0123456783' }],
])('a given key is not taken for one that was never issued: %s beside %o', (main, more) => {
  const [both, alone] = [holding(main, more), holding(main)].map((session) =>
    [neverIssuedKeys, nearMissKeys, fragmentKeys].flatMap((keysOf) => secretsOf(keysOf(session))),
  );
  const [other = ''] = Object.values(more);
  expect([alone?.includes(other), both?.includes(other)]).toEqual([true, false]);
  // Another character is altered in place of the last.
  const near = (form: string): boolean => form.startsWith(main.slice(0, -2)) && form.length === main.length;
  expect(secretsOf(neverIssuedKeys(holding(main, more))).filter(near)).toHaveLength(1);
});
