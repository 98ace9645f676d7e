import { expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { settings as table } from '../../../contract/settings.ts';
import { secretFrom } from '../../../settings/secret-from.ts';
import { parseSettings, readSettings, reportsFolder, secretsIn, shownSettings } from '../../../settings/settings.ts';

/** A value that each kind of setting refuses, and a word of the message that says what it must be. */
const bad: Readonly<Record<string, { values: readonly string[]; mayBe: RegExp }>> = {
  origin: {
    values: [
      'api.example.com',
      'ftp://example.com',
      '//example.com',
      'http://',
      'https://exa mple.com',
      'https://example.com?x=1',
      'https://example.com#x',
      'http://[::1',
      'http://example.com:99999',
    ],
    mayBe: /absolute URL/,
  },
  url: { values: ['example.com/hook', 'mailto:a@b', 'https://'], mayBe: /absolute URL/ },
  secret: { values: ['with blank in it', 'ünïcode-secret', 'line\nbreak'], mayBe: /ASCII|starts with/ },
  count: { values: ['ten', '-1', '1.5', '1e3', ' 5', '12345678901'], mayBe: /whole number/ },
  factor: { values: ['0', '0.0', 'fast', '-2', 'Infinity'], mayBe: /number greater than 0/ },
  seed: { values: ['x', '-5', '1.5', '9'.repeat(20)], mayBe: /whole number/ },
  listen: { values: ['localhost', '127.0.0.1', ':80', 'a b:80', '127.0.0.1:port'], mayBe: /host:port/ },
};

const complaintOf = (env: Record<string, string>): string => {
  try {
    readSettings(env, 'no-such-file');
  } catch (error) {
    expect(error).toBeInstanceOf(CannotRun);
    return (error as Error).message;
  }
  throw new Error(`Taken: ${JSON.stringify(env)}`);
};

const badRows = table.flatMap((setting) => [
  ...(bad[setting.kind]?.values ?? []).map((value) => [setting.name, value, bad[setting.kind]?.mayBe ?? /./] as const),
  ...(setting.values
    ? ['ALL', 'yes', '2'].map((value) => [setting.name, value, new RegExp(setting.values?.join(', ') ?? '')] as const)
    : []),
]);

test.for(badRows)('%s does not take %j', ([name, value, mayBe]) => {
  const message = complaintOf({ [name]: value });
  expect(message).toContain(name);
  expect(message).toMatch(mayBe);
  expect(message).not.toContain('\n');
});

const secrets = table.filter(({ kind }) => kind === 'secret');

test.for(
  secrets.flatMap(({ name, prefix }) =>
    [
      'very secret, with blanks 0123456789',
      ...(prefix
        ? ['sk_wrong_prefix_0123456789abcdef', `${prefix === 'svc_test_' ? 'svc_live_' : 'svc_test_'}0123456789abcdef`]
        : []),
    ].map((value) => [name, value] as const),
  ),
)('the complaint about %s does not show what was given', ([name, value]) => {
  expect(complaintOf({ [name]: value })).not.toContain(value.slice(-10));
});

test.for([
  [{ BASE_URL: 'https://a.example' }, /SANDBOX_API_KEY/],
  [{ WORKSPACE_API_URL: 'https://a.example' }, /WORKSPACE_API_KEY/],
  [{ BASE_URL: 'https://a.example/api/v1', SANDBOX_API_KEY: 'svc_test_x' }, /BASE_URL.*must not contain \/api\/v1,/],
  [{ BASE_URL: 'https://a.example/api/v1/', SANDBOX_API_KEY: 'svc_test_x' }, /BASE_URL.*must not contain \/api\/v1,/],
  [{ WORKSPACE_API_URL: 'https://a.example/v1', WORKSPACE_API_KEY: 'x' }, /WORKSPACE_API_URL.*must not contain \/v1,/],
  [{ TIMEOUT_MS: '0' }, /TIMEOUT_MS/],
  [{ MAX_REQUESTS: '0' }, /MAX_REQUESTS/],
  [{ ENTERPRISE_PER_MINUTE: '0' }, /ENTERPRISE_PER_MINUTE/],
] as const)('%j is refused', ([env, says]) => {
  expect(complaintOf(env)).toMatch(says);
});

const developer = { BASE_URL: 'https://a.example', SANDBOX_API_KEY: 'svc_test_0123456789abcdef' };
const workspace = { WORKSPACE_API_URL: 'https://b.example', WORKSPACE_API_KEY: 'wsk_0123456789abcdef' };

test.for([
  ['a key without its URL', { LIVE_API_KEY: 'svc_live_x' }, /^Cannot use LIVE_API_KEY without BASE_URL: set BASE_URL/],
  ['a key of the other API', { ...developer, WORKSPACE_SECOND_API_KEY: 'x' }, /without WORKSPACE_API_URL/],
  ['a host without a scheme', { ...developer, BASE_URL: 'api.example.com' }, /; write https:\/\/api\.example\.com$/],
  [
    'a URL with a query',
    { ...developer, BASE_URL: 'https://a.example/?x=1' },
    /; leave out \? and #, and what follows$/,
  ],
  [
    'a URL with a user',
    { ...developer, BASE_URL: 'https://me:0123456789@a.example' },
    /; leave out the user and password$/,
  ],
  ['another scheme', { ...developer, BASE_URL: 'ftp://a.example' }, /; it must begin with https:\/\/ or http:\/\/$/],
  ['a scheme in capitals', { ...developer, BASE_URL: 'HTTPS://a.example' }, /; write https:\/\/ in lower case$/],
  ['a local host without one', { ...developer, BASE_URL: 'localhost:3000' }, /; write http:\/\/localhost:3000$/],
  [
    'a live key as sandbox key',
    { ...developer, SANDBOX_API_KEY: 'svc_live_0123456789' },
    /; it looks like the key for LIVE_API_KEY$/,
  ],
  ['a URL as a key', { ...developer, SANDBOX_API_KEY: 'https://a.example' }, /; it is a URL, for BASE_URL/],
  [
    'a key as a URL',
    { ...developer, BASE_URL: 'svc_test_0123456789abcdef' },
    /got svc_test_…, .*; it looks like the key for SANDBOX_API_KEY$/,
  ],
  ['a URL with one slash', { ...developer, BASE_URL: 'http:/a.example' }, /; write http:\/\/a\.example$/],
  ['a variable in a URL', { ...developer, BASE_URL: 'https://$HOST' }, /; variables are not expanded here/],
  ['a variable as a key', { ...developer, SANDBOX_API_KEY: '$KEY' }, /; variables are not expanded here/],
  ['a home folder', { ...developer, PROFILE: '~/profile.json' }, /; ~ is not expanded here: write the whole path$/],
  [
    'typographic quotes',
    { ...workspace, WORKSPACE_API_KEY: '\u201cwsk_0123456789abcdef\u201d' },
    /; leave out the quotes or blanks around it$/,
  ],
  ['a bearer', { ...workspace, WORKSPACE_API_KEY: 'Bearer wsk_0123456789' }, /; leave out "Bearer", which is no part/],
  [
    'two URLs without keys',
    { BASE_URL: 'https://a.example', WORKSPACE_API_URL: 'https://b.example' },
    /SANDBOX_API_KEY .*WORKSPACE_API_KEY/,
  ],
  ['two wrong values', { BASE_URL: 'a', WORKSPACE_API_URL: 'b' }, /^Cannot use BASE_URL.*Cannot use WORKSPACE_API_URL/],
  [
    'a list of headers',
    { ...developer, EXTRA_HEADERS: '["X-Bypass: 0123456789"]' },
    /^Cannot use EXTRA_HEADERS: got another text, must be a JSON object/,
  ],
  [
    'a header that the suite judges',
    { ...developer, EXTRA_HEADERS: '{"x-api-key": "0123456789"}' },
    /^Cannot use EXTRA_HEADERS: x-api-key is a header that the suite sets and judges/,
  ],
  [
    'an Authorization beside a workspace key',
    { ...workspace, EXTRA_HEADERS: '{"Authorization": "Basic 0123456789"}' },
    /^Cannot use EXTRA_HEADERS: Authorization carries the keys/,
  ],
  [
    'one key twice',
    { ...workspace, WORKSPACE_SECOND_API_KEY: workspace.WORKSPACE_API_KEY },
    /it is the same key as WORKSPACE_API_KEY \(.*\); set a different one/,
  ],
] as const)('%s is refused, with what to change', ([, env, says]) => {
  const message = complaintOf(env);
  expect(message).toMatch(says);
  expect(message).not.toContain('0123456789');
});

test('with nothing set, every setting has its default', () => {
  const expected = table.filter((setting) => setting.default !== null).map(({ name, default: value }) => [name, value]);
  expect(Object.entries(parseSettings({})).map(([name, value]) => [name, String(value)])).toEqual(expected);
});

test('empty counts as not set, and a slash at the end of an origin is removed', () => {
  expect(parseSettings({ BASE_URL: '', LIVE_API_KEY: '' })).toEqual(parseSettings({}));
  const settings = parseSettings({ BASE_URL: 'https://a.example/base//', SANDBOX_API_KEY: 'svc_test_x' });
  expect(settings.BASE_URL).toBe('https://a.example/base');
});

test('a path prefix is accepted, even one that looks like the other API', () => {
  expect(parseSettings({ BASE_URL: 'https://a.example/v1', SANDBOX_API_KEY: 'svc_test_x' }).BASE_URL).toBe(
    'https://a.example/v1',
  );
});

test.for(['BASE_URL', 'WORKSPACE_API_URL', 'WEBHOOK_PUBLIC_URL'])(
  '%s set but empty is not the same as not set',
  (name) => {
    expect(() => readSettings({ [name]: '' }, 'no-such-file')).toThrow(
      new RegExp(`^Cannot use ${name}: it is set but empty \\(a missing CI secret looks like this\\); `),
    );
  },
);

test('settings are shown with their secrets shortened', () => {
  const env = {
    ...developer,
    ...workspace,
    ...Object.fromEntries(secrets.map(({ name, prefix }) => [name, `${prefix ?? ''}0123456789-${name}-canary`])),
  };
  const shown = shownSettings(parseSettings(env));
  expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(env)));
  expect(JSON.stringify(shown)).not.toContain('canary');
});

test.for([
  ['whsec_0123456789+/=', /takes the name of an environment variable, not a value$/],
  ['NO_SUCH_SECRET', /^Cannot read the secret: NO_SUCH_SECRET is not set/],
] as const)('a secret from %s is refused', ([name, says]) => {
  expect(() => secretFrom(name)).toThrow(says);
});

test('headers that go with each call are secrets, and only their names are shown', () => {
  const env = { ...developer, EXTRA_HEADERS: '{"X-Bypass": "0123456789", "Authorization": "Basic bWU6aHVudGVyMg=="}' };
  const settings = parseSettings(env);
  expect(secretsIn(settings)).toEqual(expect.arrayContaining(['0123456789', 'bWU6aHVudGVyMg==']));
  expect(shownSettings(settings).EXTRA_HEADERS).toBe('{"X-Bypass":"…","Authorization":"…"}');
});

test('quotes and spaces around a value are reported', () => {
  for (const value of ['"https://api.example.com"', "'https://api.example.com'", ' https://api.example.com\n']) {
    expect(complaintOf({ BASE_URL: value })).toMatch(/leave out the quotes or blanks around it$/);
  }
});

test('what logs in to the URL for webhooks is a secret, and is not shown', () => {
  const url = 'https://user%20x:hunter2pass@hooks.example.test/in?token=topsecret99&room=9%zz';
  const settings = parseSettings({ ...workspace, WEBHOOK_PUBLIC_URL: url });
  expect(secretsIn(settings)).toEqual(expect.arrayContaining(['user x', 'hunter2pass', 'topsecret99']));
  expect(shownSettings(settings).WEBHOOK_PUBLIC_URL).toBe('https://…@hooks.example.test/in?token=…&room=…');
});

test('reports go where REPORTS_DIR says, unless it is refused', () => {
  expect([{ REPORTS_DIR: 'own' }, { REPORTS_DIR: '~/own' }, { REPORTS_DIR: '' }, {}].map(reportsFolder)).toEqual([
    'own',
    ...Array(3).fill('reports/latest'),
  ]);
});
