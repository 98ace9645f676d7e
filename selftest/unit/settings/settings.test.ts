import { expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { settings as table } from '../../../contract/settings.ts';
import { secretFrom } from '../../../settings/env-file.ts';
import { parseSettings, readSettings, reportsFolder, secretsIn, shownSettings } from '../../../settings/settings.ts';

const complaintOf = (env: Record<string, string>): string => {
  try {
    readSettings(env, 'no-such-file');
  } catch (error) {
    expect(error).toBeInstanceOf(CannotRun);
    return (error as Error).message;
  }
  throw new Error(`Taken: ${JSON.stringify(env)}`);
};

/** A word of the message that says what each kind must be, and values that it refuses. */
const bad: Readonly<Record<string, readonly [mayBe: RegExp, ...values: readonly string[]]>> = {
  origin: [
    /absolute URL/,
    '//example.com',
    'https://exa mple.com',
    'http://[::1',
    'http://example.com:99999',
    'https://a.example;',
  ],
  url: [/absolute URL/, 'example.com/hook', 'mailto:a@b', 'https://'],
  secret: [/ASCII|starts with/, 'with blank in it', 'ünïcode-secret', 'line\nbreak', 'very secret 0123456789'],
  count: [/whole number/, 'ten', '-1', '1.5', '1e3', ' 5', '12345678901'],
  factor: [/number greater than 0/, '0', '0.0', 'fast', '-2', 'Infinity'],
  seed: [/whole number/, 'x', '-5', '1.5', '9'.repeat(20)],
  listen: [/host:port/, 'localhost', '127.0.0.1', ':80', 'a b:80', '127.0.0.1:port'],
  choice: [/one of \w+, \w+/, 'ALL', 'yes', '2'],
};

test.for(
  table.flatMap(({ name, kind }) => {
    const [mayBe = /./, ...values] = bad[kind] ?? [];
    return values.map((value) => [name, value, mayBe] as const);
  }),
)('%s does not take %j', ([name, value, mayBe]) => {
  const message = complaintOf({ [name]: value });
  expect(message).toMatch(mayBe);
  expect(message).toMatch(new RegExp(`^Cannot use ${name}: [^\\n]*$`));
  expect(message).not.toContain('0123456789');
});

const developer = { BASE_URL: 'https://a.example', SANDBOX_API_KEY: 'svc_test_0123456789abcdef' };
const workspace = { WORKSPACE_API_URL: 'https://b.example', WORKSPACE_API_KEY: 'wsk_0123456789abcdef' };
const at = (BASE_URL: string): Record<string, string> => ({ ...developer, BASE_URL });
const key = (SANDBOX_API_KEY: string): Record<string, string> => ({ ...developer, SANDBOX_API_KEY });
const workspaceKey = (WORKSPACE_API_KEY: string): Record<string, string> => ({ ...workspace, WORKSPACE_API_KEY });
const headers = (EXTRA_HEADERS: string, target: object = developer): Record<string, string> => ({
  ...target,
  EXTRA_HEADERS,
});
const quotes = /; leave out the quotes or blanks around it$/;

test.for<[string, Record<string, string>, RegExp]>([
  ['a URL without a key', { BASE_URL: 'https://a.example' }, /SANDBOX_API_KEY/],
  ['the same of the other', { ...workspace, WORKSPACE_API_URL: 'https://b.example/v1' }, /must not contain \/v1,/],
  [
    'a URL under another name',
    { DEVELOPER_API_URL: 'x', LIVE_API_KEY: 'svc_live_0123456789' },
    /without BASE_URL: set/,
  ],
  ['a key of the other API', { ...developer, WORKSPACE_SECOND_API_KEY: 'x' }, /without WORKSPACE_API_URL/],
  [
    'one key twice',
    { ...workspace, WORKSPACE_SECOND_API_KEY: workspace.WORKSPACE_API_KEY },
    /the same key as WORKSPACE_API_KEY/,
  ],
  ['two wrong values', { BASE_URL: 'a', WORKSPACE_API_URL: 'b' }, /^Cannot use BASE_URL.*Cannot use WORKSPACE_API_URL/],
  ['an empty URL', { BASE_URL: '' }, /^Cannot use BASE_URL: it is set but empty \(a missing CI secret looks like/],
  ['another empty URL', { WEBHOOK_PUBLIC_URL: '' }, /^Cannot use WEBHOOK_PUBLIC_URL: it is set but empty/],
  ['a host without a scheme', at('api.example.com'), /; write https:\/\/api\.example\.com$/],
  ['a local host without one', at('localhost:3000'), /; write http:\/\/localhost:3000$/],
  ['a URL with a user', at('https://me:0123456789@a.example'), /must be an absolute URL without user, \? and #/],
  ['a URL with one slash', at('http:/a.example'), /; write http:\/\/a\.example$/],
  ['a key as a URL', at('svc_test_0123456789abcdef'), /got svc_test_…, .*; it looks like the key for SANDBOX_API_KEY$/],
  ['quotes around a URL', at('"https://api.example.com"'), quotes],
  ['a live key as sandbox key', key('svc_live_0123456789'), /; it looks like the key for LIVE_API_KEY$/],
  ['a URL as a key', key('https://a.example'), /; it is a URL, for BASE_URL/],
  ['a variable as a key', key('$KEY'), /; variables are not expanded here/],
  ['typographic quotes', workspaceKey('\u201cwsk_0123456789abcdef\u201d'), quotes],
  ['a bearer', workspaceKey('Bearer wsk_0123456789'), /; leave out "Bearer", which is no part/],
  ['a home folder', { ...developer, PROFILE: '~/profile.json' }, /; ~ is not expanded here: write the whole path$/],
  ['a list of headers', headers('["X-Bypass: 0123456789"]'), /got another text, must be a JSON object/],
  [
    'a header that is judged',
    headers('{"x-api-key": "0123456789"}'),
    /x-api-key is a header that the suite sets and judges/,
  ],
  ['Authorization beside a key', headers('{"Authorization": "Basic 0123456789"}', workspace), /Authorization carries/],
])('%s is refused, with what to change', ([, env, says]) => {
  const message = complaintOf(env);
  expect(message).toMatch(says);
  expect(message).not.toMatch(/0123456789|\n/);
});

test.for([
  ['whsec_0123456789+/=', /takes the name of an environment variable, not a value$/],
  ['NO_SUCH_SECRET', /^Cannot read the secret: NO_SUCH_SECRET is not set/],
] as const)('a secret from %s is refused', ([name, says]) => {
  expect(() => secretFrom(name)).toThrow(says);
});

test('what is empty counts as not set, and has its default; an origin may have a path, and loses its last slashes', () => {
  const defaults = table.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
  const settings = parseSettings({ BASE_URL: '', LIVE_API_KEY: '' });
  expect(Object.entries(settings).map(([name, value]) => [name, String(value)])).toEqual(defaults);
  expect(parseSettings(at('https://a.example/v1//')).BASE_URL).toBe('https://a.example/v1');
  const folders = [{ REPORTS_DIR: 'own' }, { REPORTS_DIR: '~/own' }, { REPORTS_DIR: '' }, {}];
  expect(folders.map(reportsFolder)).toEqual(['own', ...Array(3).fill('reports/latest')]);
});

test('no secret is shown, nor what logs in to the URL for webhooks', () => {
  const secrets = table.filter(({ kind }) => kind === 'secret');
  const settings = parseSettings({
    BASE_URL: 'https://a.example',
    WORKSPACE_API_URL: 'https://b.example',
    ...Object.fromEntries(secrets.map(({ name, prefix }) => [name, `${prefix ?? ''}0123456789-${name}-canary`])),
    WEBHOOK_PUBLIC_URL: 'https://user%20x:hunter2canary@hooks.example.test/in?token=topcanary99&room=9%zz',
    EXTRA_HEADERS: '{"X-Bypass": "0123456789"}',
  });
  const shown = shownSettings(settings);
  expect(JSON.stringify(shown)).not.toMatch(/canary|0123456789/);
  expect(shown).toMatchObject({
    SANDBOX_API_KEY: 'svc_test_…',
    WEBHOOK_PUBLIC_URL: 'https://…@hooks.example.test/in?token=…&room=…',
    EXTRA_HEADERS: '{"X-Bypass":"…"}',
  });
  expect(secretsIn(settings)).toEqual(expect.arrayContaining(['user x', 'hunter2canary', 'topcanary99', '0123456789']));
  const basic = parseSettings(headers('{"Authorization": "Basic bWU6aHVudGVyMg=="}'));
  expect(secretsIn(basic)).toContain('bWU6aHVudGVyMg==');
});
