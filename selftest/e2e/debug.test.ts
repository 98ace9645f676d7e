import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../new-folder.ts';
import { start } from './run-suite.ts';
import { openStage } from './stage.ts';

const stage = openStage();

test('NODE_DEBUG and DEBUG print no key: a run removes them from its environment, and reports that', async () => {
  const env = { ...(await stage.serve()), NODE_DEBUG: 'http,https,net,tls,undici,fetch', DEBUG: '*' };
  const { code, stderr, stdout } = await stage.run(['-t', 'developer.auth.query'], env);
  expect([code, stderr.split('\n', 1)]).toEqual([
    0,
    ['NODE_DEBUG and DEBUG are left out of the environment: the output would show keys'],
  ]);
  expect(stdout).toContain('1 pass');
  expect(stdout + stderr).not.toContain('api_key=');
});

test.for(['cleanup', 'receiver', 'load'])('so does npm run %s', async (name) => {
  const { stderr, stdout } = await start(`cli/${name}.ts`, ['--help'], { NODE_DEBUG: 'http' }).ended;
  expect(stderr).toBe('NODE_DEBUG is left out of the environment: the output would show keys\n');
  expect(stdout).toContain(`npm run ${name}`);
});

const secret = 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH';

test.for([
  ['plan', []],
  ['har', ['a.har']],
  ['signature', ['a.har', '--secret-from', 'SANDBOX_API_KEY']],
  ['compare', ['a.har', 'a.har']],
] as const)('npm run %s sends nothing, and shows no key under them', async ([name, args]) => {
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
