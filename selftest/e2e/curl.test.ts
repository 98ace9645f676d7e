import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Call } from '../../suites/session/call.ts';
import { createOwnRecords } from '../../suites/session/evidence/own-records.ts';
import { scriptOf as scriptWith } from '../../suites/session/evidence/reproduce.ts';
import type { ApiKey } from '../../suites/session/key.ts';
import { wireOf } from '../../suites/session/transport/wire.ts';

const given: ApiKey = {
  secret: 'svc_test_0123456789',
  label: 'SANDBOX_API_KEY',
  environment: 'sandbox',
  origin: 'given',
};
const unknown = (secret: string, like?: ApiKey): ApiKey => ({
  secret,
  label: 'a key that was never issued',
  environment: 'sandbox',
  origin: 'unknown',
  ...(like === undefined ? {} : { derivedFrom: like }),
});
const own: ApiKey = {
  secret: 'svc_test_abcdefghij',
  label: 'key "without ads" of this run',
  environment: 'sandbox',
  origin: 'own',
  creation: {
    request: { url: 'http://api.test/api/v1/developer/keys', body: '{"name":"it\'s","scopes":["inbox:read"]}' },
    makerSetting: 'SANDBOX_API_KEY',
    scopes: ['inbox:read'],
    places: { id: '/data/key id', secret: '/data/key' },
  },
};

const wired = (call: Call) => wireOf({ keyModes: ['header'], alwaysTyped: false }, 'http://api.test', call);
const scriptOf = (call: Partial<Call>, records = createOwnRecords(), number = 9, calls = 0): string => {
  const whole: Call = { method: 'GET', path: '/api/v1/platform/me', key: given, ...call };
  return scriptWith(wired(whole), whole, { records, number, clean: (text) => text, settleMs: 1500, calls });
};

/**
 * The script of a call as the report shows it, and the arguments that curl gets when a shell runs it, one line for each
 * call.
 */
function run(
  call: Partial<Call>,
  env: Readonly<Record<string, string>> = { SANDBOX_API_KEY: given.secret },
  answer: string = JSON.stringify({ data: { 'key id': 'key_7', key: 'svc_test_fresh' } }),
): { script: string; status: number | null; calls: string[][]; stderr: string } {
  const script = scriptOf(call);
  const curl = `curl() { printf '%s\\037' "$@" >&3; printf '\\n' >&3; printf %s '${answer}'; }`;
  const shell = spawnSync('bash', ['-c', `exec 3>&1 1>/dev/null; sleep() { :; }; ${curl}\n${script}`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  const calls = shell.stdout.split('\n').slice(0, -1);
  return {
    script,
    status: shell.status,
    calls: calls.map((line) => line.split('\u001f').slice(0, -1)),
    stderr: shell.stderr,
  };
}

describe('a call with a given key', () => {
  test('holds no key; the shell inserts it', () => {
    const { script, calls } = run({ method: 'POST', body: { name: 'it\'s "quoted" $HOME `x`' } });
    expect(script).not.toContain(given.secret);
    expect(script).toContain('-H "X-API-Key: ${SANDBOX_API_KEY:?}"');
    expect(calls[0]).toEqual(
      expect.arrayContaining([
        '-X',
        'POST',
        `X-API-Key: ${given.secret}`,
        '{"name":"it\'s \\"quoted\\" $HOME `x`"}',
        'http://api.test/api/v1/platform/me',
      ]),
    );
  });

  test('that was over its limit is repeated after reads, not writes, that use up the limit', () => {
    const looped = scriptOf({ headers: { Accept: '' } }, createOwnRecords(), 9, 60);
    const url = 'http://api.test/api/v1/platform/me -H "X-API-Key: ${SANDBOX_API_KEY:?}"';
    expect(looped).toBe(`for CALL in $(seq 60); do\n  curl -sS -o /dev/null ${url}\ndone\ncurl -i ${url}`);
    expect(scriptOf({ method: 'POST' }, createOwnRecords(), 9, 60)).not.toContain('seq');
  });

  test('makes up a new secret if the run had made one up, which no script shows', () => {
    const call: Call = {
      method: 'POST',
      path: '/v1/webhooks',
      key: given,
      body: { secret: 'whsec_abc', of: 'whsec_abc 1' },
    };
    const clean = (text: string): string => text.replaceAll('whsec_abc', 'whsec_…');
    const script = scriptWith(wired(call), call, { records: createOwnRecords(), number: 9, clean, settleMs: 0 });
    const [first = '', ...curl] = script.split('\n');
    const shell = spawnSync('sh', ['-c', `${first}; echo $SECRET`], { encoding: 'utf8' });
    expect(shell.stdout).toMatch(/^whsec_[\w+/]{32}\n$/);
    expect(curl.join('\n')).toContain('--data-raw "{\\"secret\\":\\"$SECRET\\",');
    expect(script).not.toContain('whsec_abc');
  });

  test('sends nothing if the key is not set, and reports that', () => {
    const { status, calls, stderr } = run({}, {});
    expect([status === 0, calls]).toEqual([false, []]);
    expect(stderr).toContain('SANDBOX_API_KEY');
  });

  test('sends the key in the query, or as basic credentials, as the run did', () => {
    const { calls } = run({ mode: 'query' });
    expect(calls[0]).toContain('http://api.test/api/v1/platform/me');
    // curl encodes it: a + in a key would become a blank.
    expect(calls[0]?.slice(calls[0].indexOf('-G'))).toEqual(
      expect.arrayContaining(['-G', '--data-urlencode', `api_key=${given.secret}`]),
    );
    expect(run({ mode: 'basic' }).calls[0]).toContain(
      `Authorization: Basic ${Buffer.from(`${given.secret}:`).toString('base64')}`,
    );
  });
});

test('an empty key is sent as an empty header, which curl would leave out', () => {
  expect(run({ key: unknown('') }).calls[0]).toContain('X-API-Key;');
});

describe('a key that was never issued', () => {
  test.for([
    ['its last character altered', 'svc_test_012345678x'],
    ['one character more', 'svc_test_01234567890'],
    ['another prefix', 'svc_live_0123456789'],
    ['a wildcard in place of its end', 'svc_test_01234%'],
  ] as const)('is the given key with %s', ([, secret]) => {
    const { script, calls } = run({ key: unknown(secret, given) });
    expect(script).not.toContain(secret);
    expect(calls[0]).toContain(`X-API-Key: ${secret}`);
    expect(run({ key: unknown(secret, given) }, {}).status).not.toBe(0);
  });

  test.for(['*', 'constructor'])('is %s, if it is not part of a key', (word) => {
    expect(run({ key: { ...unknown(word, given), isWord: true } }).calls[0]).toContain(`X-API-Key: ${word}`);
  });

  test('becomes another id of the same form if it was made up', () => {
    const { script, calls } = run({ key: unknown('svc_live_abcdefghijklmnop', given) });
    expect(script).not.toContain('abcdefghijklmnop');
    expect(calls[0]).toContainEqual(expect.stringMatching(/^X-API-Key: svc_live_[0-9a-f]{32}$/));
  });
});

describe('a key that the run made', () => {
  const makes = ['-sS', '-X', 'POST', 'http://api.test/api/v1/developer/keys'];
  const deletes = ['-sS', '-o', '/dev/null', '-X', 'DELETE', 'http://api.test/api/v1/developer/keys/key_7'];

  test('is created first, with its scopes, and deleted at the end', () => {
    const { calls, script } = run({ key: own });
    expect(script).not.toContain(own.secret);
    expect(calls.map((call) => call.slice(0, call.indexOf('-H')))).toEqual([
      makes,
      ['-i', 'http://api.test/api/v1/platform/me'],
      deletes,
    ]);
    expect(calls[0]).toContain('{"name":"it\'s","scopes":["inbox:read"]}');
    expect(calls[1]).toContain('X-API-Key: svc_test_fresh');
    expect(calls[2]).toContain(`X-API-Key: ${given.secret}`);
  });

  test('is created first if its id was sent as the key', () => {
    const { calls } = run({ key: unknown('key_1', { ...own, id: 'key_1' }) });
    expect(calls.map(([flag]) => flag)).toEqual(['-sS', '-i', '-sS']);
    expect(calls[1]).toContain('X-API-Key: key_7');
  });

  test('is deleted by its whole id, even if that is a number that a double cannot represent', () => {
    const answer = '{"data": {"key id": 7245987123456000001, "key": "svc_test_fresh"}}';
    const { calls } = run({ key: { ...own, id: '7245987123456000123' } }, { SANDBOX_API_KEY: given.secret }, answer);
    expect(calls.at(-1)).toContain('http://api.test/api/v1/developer/keys/7245987123456000001');
  });

  test('is used and deleted first if the call was made with a deleted key', () => {
    const { calls, script } = run({ key: { ...own, origin: 'unknown' } });
    expect(script).toContain('\nsleep 2\n');
    expect(
      calls.map(([flag, ...rest]) => (rest.includes('DELETE') ? 'delete' : rest.includes('POST') ? 'make' : flag)),
    ).toEqual(['make', '-sS', 'delete', '-i']);
  });
});
