import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { ApiKey, Call, SentCall } from '../../suites/session/call.ts';
import { createOwnRecords } from '../../suites/session/evidence/own-records.ts';
import { scriptOf as scriptWith } from '../../suites/session/evidence/reproduce.ts';
import { wireOf } from '../../suites/session/transport/wire.ts';

// What scripts.test.ts does not show: quoting, made-up secrets, and hostile answers.

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
const keysPath = '/api/v1/developer/keys';
const own: ApiKey = {
  secret: 'svc_test_abcdefghij',
  label: 'key "without ads" of this run',
  environment: 'sandbox',
  origin: 'own',
  id: 'key_1234',
  creation: { collection: keysPath, scopes: ['inbox:read'], secretAt: '/data/key' },
};

const wired = (call: Call, extra: object = {}) =>
  wireOf({ keyModes: ['header'], alwaysTyped: false }, 'http://api.test', call, { ...extra });

/** What a run has sent, and the records that it has made. */
function openRecords() {
  const sent: SentCall[] = [];
  const records = createOwnRecords(sent);
  const send = (number: number, call: Call): void => {
    const answered = { status: 200, accepted: true, sentAt: number, receivedAt: number };
    sent.push({ number, call, request: wired(call), ...answered, isPaced: true });
  };
  const make = (number: number, collection: string, id: string, body: object, place = '/data/id'): void => {
    send(number, { method: 'POST', path: collection, body, key: given });
    records.made({ collection, id, at: number }, { number, place, maker: given });
  };
  return { records, send, make };
}

const scriptOf = (call: Partial<Call>, records = createOwnRecords([]), number = 9, calls = 0, extra = {}): string => {
  const whole: Call = { method: 'GET', path: '/api/v1/platform/me', key: given, ...call };
  const clean = (text: string): string => text.replaceAll('whsec_abc', 'whsec_…');
  const parts = { records, number, clean, calls, settings: { KEY_SETTLE_MS: 1500, EXTRA_HEADERS: { ...extra } } };
  return scriptWith(wired(whole, extra), whole, parts);
};

/** The script of a call, and the arguments that curl gets when a shell runs it, one line for each call. */
function run(
  call: Partial<Call>,
  env: Readonly<Record<string, string>> = { SANDBOX_API_KEY: given.secret },
  answer: string = JSON.stringify({ data: { 'key id': 'key_7', key: 'svc_test_fresh' } }),
  extra = {},
): { script: string; status: number | null; calls: string[][]; stderr: string } {
  const { records, make } = openRecords();
  make(1, keysPath, call.key?.id ?? '', { name: "it's", scopes: ['inbox:read'] }, '/data/key id');
  const script = scriptOf(call, records, undefined, undefined, extra);
  const sent = `sent() { printf '%s\\037' "$@" >&3; printf '\\n' >&3; printf %s '${answer}'; }`;
  const curl = `${sent}; curl() { sent "$@"; }; command() { shift; sent "$@"; }`;
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['-c', `exec 3>&1 1>/dev/null; sleep() { :; }; ${curl}\n${script}`],
    { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } },
  );
  const calls = stdout.split('\n').slice(0, -1);
  return { script, status, stderr, calls: calls.map((line) => line.split('\u001f').slice(0, -1)) };
}

describe('a call with a given key', () => {
  test('holds no key; the shell inserts it, and sends nothing if it is not set', () => {
    const { script, calls } = run({ method: 'POST', body: { name: 'it\'s "quoted" $HOME `x`' } });
    expect(script).not.toContain(given.secret);
    const sent = ['-X', 'POST', `X-API-Key: ${given.secret}`, '{"name":"it\'s \\"quoted\\" $HOME `x`"}'];
    expect(calls[0]).toEqual(expect.arrayContaining([...sent, 'http://api.test/api/v1/platform/me']));
    const unset = run({}, {});
    expect([unset.status === 0, unset.calls, unset.stderr]).toEqual([
      ...[false, []],
      expect.stringContaining('SANDBOX_API_KEY'),
    ]);
  });

  test('has the key encoded by curl where it goes into the query: a + in it would become a blank', () => {
    const inQuery = ['http://api.test/api/v1/platform/me', '-G', '--data-urlencode', `api_key=${given.secret}`];
    expect(run({ mode: 'query' }).calls[0]).toEqual(expect.arrayContaining(inQuery));
  });

  test('sends EXTRA_HEADERS, from that setting, with each call that makes keys for it, too', () => {
    const [extra, env] = [{ "X-By'pass": 'open "$HOME"' }, { SANDBOX_API_KEY: given.secret }];
    const { script, calls } = run({ key: own }, { ...env, EXTRA_HEADERS: JSON.stringify(extra) }, undefined, extra);
    expect(script).not.toContain('open');
    expect(calls.map((options) => options.slice(0, 2))).toEqual(Array(3).fill(['-H', `X-By'pass: open "$HOME"`]));
    expect(calls.flat().filter((option) => option.includes('pass'))).toHaveLength(3);
  });

  test('that was over its limit is repeated after reads, not writes, that use up the limit', () => {
    const looped = scriptOf({ headers: { Accept: '' } }, createOwnRecords([]), 9, 60);
    const url = 'http://api.test/api/v1/platform/me -H "X-API-Key: ${SANDBOX_API_KEY:?}"';
    expect(looped).toBe(`for CALL in $(seq 60); do\n  curl -sS -o /dev/null ${url}\ndone\ncurl -i ${url}`);
    expect(scriptOf({ method: 'POST' }, createOwnRecords([]), 9, 60)).not.toContain('seq');
  });

  test('makes up a new secret if the run had made one up, which no script shows', () => {
    const script = scriptOf({ method: 'POST', path: '/v1/webhooks', body: { secret: 'whsec_abc' } });
    const [first = '', ...curl] = script.split('\n');
    const shell = spawnSync('sh', ['-c', `${first}; echo $SECRET`], { encoding: 'utf8' });
    expect(shell.stdout).toMatch(/^whsec_[\w+/]{32}\n$/);
    expect(curl.join('\n')).toContain('--data-raw "{\\"secret\\":\\"$SECRET\\"');
    expect(script).not.toContain('whsec_abc');
  });
});

test('a key that was made up becomes another of the same form, and an empty key stays', () => {
  const { script, calls } = run({ key: unknown('svc_live_abcdefghijklmnop', given) });
  expect(script).not.toContain('abcdefghijklmnop');
  expect(calls[0]).toContainEqual(expect.stringMatching(/^X-API-Key: svc_live_[0-9a-f]{32}$/));
  // curl would leave out an empty header.
  expect(run({ key: unknown('') }).calls[0]).toContain('X-API-Key;');
});

describe('a record that the run made', () => {
  const { records, send, make } = openRecords();
  make(1, '/v1/agents', 'agt_1234', { name: 'a' });

  /** What a shell has in the variable after the line that reads the id of an answer. */
  const idRead = (script: string, answer: string): string => {
    const line = script.split('\n').find((one) => one.includes('$(node ')) ?? '';
    const env = { ...process.env, MADE: answer };
    return spawnSync('sh', ['-c', `${line}; printf %s "$${line.split('=')[0]}"`], { env, encoding: 'utf8' }).stdout;
  };

  test('has the id that the answer shows in a field of any name, and nothing that an answer says is run', () => {
    const name = 'i\'d"; `$(id)` é\u2028';
    make(7, '/v1/webhooks', 'whk_1234', { name: 'a' }, `/data/${name}`);
    const script = scriptOf({ path: '/v1/webhooks/whk_1234', method: 'DELETE' }, records, 8);
    expect(script).toMatch(/^[\x20-\x7e\n]+$/);
    // A create that makes nothing must not leave the path of the whole collection.
    expect(script).toContain('/v1/webhooks/${WEBHOOK_ID:?}"');
    expect(idRead(script, JSON.stringify({ data: { [name]: 'whk_5' } }))).toBe('whk_5');
    const code = 'import fs from "node:fs"; fs.writeSync(1, "ran"); process.exit()';
    expect(idRead(script, `--import=data:text/javascript,${code}`)).toBe('');
  });

  test('is not changed again if no call makes another, and somebody else may have its id by now', () => {
    records.made({ collection: '/v1/leads', id: '7', at: 1 });
    const [change, read] = ['PATCH', 'GET'].map((method) => scriptOf({ path: '/v1/leads/7', method }, records));
    expect(change).toMatch(/^(# .*\n)+# curl .*$/);
    expect(read).toMatch(/^curl /);
  });

  test('is deleted first if it had been deleted before the call', () => {
    send(5, { method: 'DELETE', path: '/v1/agents/agt_1234', key: given });
    const lastCalls = [4, 6].map((number) =>
      scriptOf({ path: '/v1/agents/agt_1234' }, records, number)
        .split('\n')
        .findLast((line) => line.startsWith('curl')),
    );
    expect(lastCalls).toEqual([expect.stringContaining('-X DELETE'), expect.stringMatching(/^curl -i /)]);
  });
});
