import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { settings as table } from '../../../contract/settings.ts';
import { parseSettings, readSettings, secretsIn, shownSettings } from '../../../settings/settings.ts';
import { newFolder } from '../../new-folder.ts';

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

test('an empty variable undoes nothing that .env restricts, and leaves out a key', () => {
  const file = join(newFolder(), '.env');
  writeFileSync(
    file,
    'WRITES=none\nSTRICT=1\nMAX_REQUESTS=50\nBASE_URL=https://a.example\nSANDBOX_API_KEY=svc_test_x\nLIVE_API_KEY=svc_live_x\n',
  );
  const empty = { WRITES: '', STRICT: '', MAX_REQUESTS: '', LIVE_API_KEY: '' };
  const { WRITES, STRICT, MAX_REQUESTS, LIVE_API_KEY } = readSettings(empty, file);
  expect([WRITES, STRICT, MAX_REQUESTS, LIVE_API_KEY]).toEqual(['none', '1', 50, undefined]);
  expect(readSettings({ WRITES: 'all' }, file).WRITES).toBe('all');
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

test.for([
  'BASE_URL https://a.example',
  'BASE_URL',
  'export BASE_URL',
  'set BASE_URL=https://a.example',
  '$env:BASE_URL = "https://a.example"',
  '{"BASE_URL": "https://a.example"}',
])('the line %j of .env gives no value', (line) => {
  const file = join(newFolder(), '.env');
  writeFileSync(file, `WRITES=none\n${line}\n`);
  expect(() => readSettings({}, file)).toThrow(/^Cannot read BASE_URL in .*: its line must be BASE_URL=VALUE$/);
});

test.for(['svc_test_4f9d8a7b6c5e4f3a2b1c', '{}', '- a list'])('a .env that is only %j is refused', (text) => {
  const file = join(newFolder(), '.env');
  writeFileSync(file, `# a comment\n${text}\n`);
  expect(() => readSettings({}, file)).toThrow(/^Cannot read .*: it sets nothing; make it a file of NAME=VALUE lines/);
});

test.for(['', '# BASE_URL=https://a.example\n', 'NOTE="the BASE_URL: see the wiki"\n'])(
  'a .env with %j is read',
  (text) => {
    const file = join(newFolder(), '.env');
    writeFileSync(file, text);
    expect(readSettings({}, file).BASE_URL).toBeUndefined();
  },
);

test('a .env that is a link to nothing is refused', () => {
  const file = join(newFolder(), '.env');
  symlinkSync('/nowhere/.env', file);
  expect(() => readSettings({}, file)).toThrow(/^Cannot read .*: no such file or directory/);
});

test('the environment wins over the file', () => {
  const file = join(newFolder(), '.env');
  writeFileSync(file, 'TIMEOUT_MS=1\nSEED="7" # lucky\nWRITES=none\n');
  expect(readSettings({ TIMEOUT_MS: '2' }, file)).toMatchObject({ TIMEOUT_MS: 2, SEED: 7, WRITES: 'none' });
});

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

test('quotes and spaces around a value are reported', () => {
  for (const value of ['"https://api.example.com"', "'https://api.example.com'", ' https://api.example.com\n']) {
    expect(complaintOf({ BASE_URL: value })).toMatch(/leave out the quotes or blanks around it$/);
  }
});

test('a .env that cannot be read gets one line', () => {
  expect(() => readSettings({}, tmpdir())).toThrow(
    /^Cannot read .+; make it a file of NAME=VALUE lines, or remove it$/,
  );
  expect(() => readSettings({}, tmpdir())).toThrow(CannotRun);
});

test('a .env in UTF-16, which holds no setting when it is read as UTF-8, is refused', () => {
  const file = join(newFolder(), '.env');
  writeFileSync(file, Buffer.from('\ufeffWRITES=none\r\n', 'utf16le'));
  expect(() => readSettings({}, file)).toThrow(
    /^Cannot read .*: it is not text in UTF-8; make it a file of NAME=VALUE lines/,
  );
});

test('what logs in to the URL for webhooks is a secret, and is not shown', () => {
  const url = 'https://user%20x:hunter2pass@hooks.example.test/in?token=topsecret99&room=9%zz';
  const settings = parseSettings({ ...workspace, WEBHOOK_PUBLIC_URL: url });
  expect(secretsIn(settings)).toEqual(expect.arrayContaining(['user x', 'hunter2pass', 'topsecret99']));
  expect(shownSettings(settings).WEBHOOK_PUBLIC_URL).toBe('https://…@hooks.example.test/in?token=…&room=…');
});
