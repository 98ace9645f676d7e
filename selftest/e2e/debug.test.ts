import { afterAll, expect, test } from 'vitest';
import { folders, start } from './run-suite.ts';
import { openStage } from './stage.ts';

const stage = openStage();
const { make, removeAll } = folders();
afterAll(async () => {
  await stage.close();
  removeAll();
});

test('NODE_DEBUG and DEBUG print no key: a run takes them out of its environment, and says so', async () => {
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
  const { stderr, stdout } = await start(`cli/${name}.ts`, ['--help'], { NODE_DEBUG: 'http' }, make()).ended;
  expect(stderr).toBe('NODE_DEBUG is left out of the environment: the output would show keys\n');
  expect(stdout).toContain(`npm run ${name}`);
});
