import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './source-files.ts';

/** contract and load each under a configuration of their own: no Node, no DOM, so that k6 can run them. */
test.for(['contract', 'load', '.'])('tsc -p %s finds nothing', { timeout: 180_000 }, (project) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toBe('');
  expect(status).toBe(0);
});
