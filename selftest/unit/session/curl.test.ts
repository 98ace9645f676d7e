import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Call } from '../../../suites/session/call.ts';
import type { ApiKey } from '../../../suites/session/key.ts';
import { curlOf, wireOf } from '../../../suites/session/wire.ts';

const given: ApiKey = {
  secret: 'svc_test_0123456789',
  label: 'SANDBOX_API_KEY',
  environment: 'sandbox',
  origin: 'given',
};
const own: ApiKey = {
  secret: 'svc_test_abcdefghij',
  label: 'without "ads" $(x)',
  environment: 'sandbox',
  origin: 'own',
};
const nobody: ApiKey = { secret: '', label: 'an empty key', environment: 'sandbox', origin: 'unknown' };

/** The line of a call as the report shows it, and the arguments that curl gets when a shell runs it. */
function pasted(
  call: Partial<Call>,
  env: Readonly<Record<string, string>>,
): { line: string; status: number | null; args: string[]; stderr: string } {
  const whole: Call = { method: 'GET', path: '/api/v1/platform/me', key: given, ...call };
  const line = curlOf(
    wireOf({ keyModes: ['header'], alwaysTyped: false }, 'http://api.test', whole),
    whole,
    (text) => text,
  );
  const shell = spawnSync('bash', ['-c', `curl() { printf '%s\\n' "$@"; }\n${line}`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { line, status: shell.status, args: shell.stdout.split('\n'), stderr: shell.stderr };
}

test('a line holds no key, and the shell puts it in', () => {
  const { line, args } = pasted(
    { method: 'POST', body: { name: 'it\'s "quoted" $HOME `x`' } },
    { SANDBOX_API_KEY: given.secret },
  );
  expect(line).not.toContain(given.secret);
  expect(line).toContain('"$SANDBOX_API_KEY"');
  expect(args).toEqual(
    expect.arrayContaining([
      '-X',
      'POST',
      `X-API-Key: ${given.secret}`,
      '{"name":"it\'s \\"quoted\\" $HOME `x`"}',
      'http://api.test/api/v1/platform/me',
    ]),
  );
});

test('a key in the query, and one sent as basic credentials', () => {
  expect(pasted({ mode: 'query' }, { SANDBOX_API_KEY: given.secret }).args).toContain(
    `http://api.test/api/v1/platform/me?api_key=${given.secret}`,
  );
  expect(pasted({ mode: 'basic' }, { SANDBOX_API_KEY: given.secret }).args).toContain(
    `Authorization: Basic ${Buffer.from(`${given.secret}:`).toString('base64')}`,
  );
});

test('a key that the run made has to be set: without it nothing is sent', () => {
  const { line, status, args, stderr } = pasted({ key: own }, {});
  expect(line).not.toContain(own.secret);
  expect([status === 0, args]).toEqual([false, ['']]);
  expect(stderr).toMatch(
    /WITHOUT_ADS_X_: set it to a sandbox key like the one named without ads x that the run made and deleted/,
  );
  expect(pasted({ key: own }, { WITHOUT_ADS_X_: 'mine' }).args).toContain('X-API-Key: mine');
});

test('an empty key is sent as an empty header, which curl would leave out', () => {
  expect(pasted({ key: nobody }, {}).args).toContain('X-API-Key;');
});
