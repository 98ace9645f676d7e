import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../new-folder.ts';
import { oneOf } from '../nightly.ts';
import { start } from './run-suite.ts';
import { openStage } from './stage.ts';

const stage = openStage();

test('DEBUG prints no key', async () => {
  const { code, stderr, stdout } = await stage.run(['-t', 'developer.auth.query'], {
    ...(await stage.serve()),
    DEBUG: '*',
  });
  expect(code).toBe(0);
  expect(stdout).toContain('1 pass');
  expect(stdout + stderr).not.toContain('api_key=');
});

test.for(['test', 'load'])('npm run %s refuses NODE_DEBUG, which prints keys', async (name) => {
  const { code, stderr } = await start(`cli/${name}.ts`, ['--help'], { NODE_DEBUG: 'http' }).ended;
  expect([code, stderr]).toEqual([2, 'Cannot run with NODE_DEBUG set, which would print keys: unset it\n']);
});

const secret = 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH';

const offline = [
  ['har', ['a.har']],
  ['plan', []],
  ['signature', ['a.har', '--secret-from', 'SANDBOX_API_KEY']],
  ['compare', ['a.har', 'a.har']],
] as const;

test.for(oneOf(2, offline))('npm run %s sends nothing, and shows no key under them', async ([name, args]) => {
  const folder = newFolder();
  const request = { method: 'GET', url: `http://127.0.0.1:9/api/v1/platform/me?api_key=${secret}`, headers: [] };
  const entries = [{ request, response: { status: 200, headers: [], content: { text: '{}' } } }];
  writeFileSync(join(folder, 'a.har'), JSON.stringify({ log: { entries } }));
  const debug = { NODE_DEBUG: 'http,https,net,tls,undici,fetch', DEBUG: '*' };
  const env = { ...debug, BASE_URL: 'http://127.0.0.1:9', SANDBOX_API_KEY: secret };
  const { stderr, stdout, reports } = await start(`cli/${name}.ts`, args, env, folder).ended;
  expect(stdout + stderr).not.toBe('');
  expect([stdout, stderr, ...reports.values()].join('')).not.toContain(secret.slice(12, 24));
});
