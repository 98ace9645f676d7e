import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { newFolder } from '../../new-folder.ts';

test('a folder in a working folder that is gone is made, or refused, at once', () => {
  const gone = newFolder();
  const script = `
    import { rmdirSync } from 'node:fs';
    import { makeFolder } from '${new URL('../../../common/make-folder.ts', import.meta.url).href}';
    rmdirSync('${gone}');
    try { makeFolder('reports/latest'); } catch {}`;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: gone,
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect([signal, stderr]).toEqual([null, '']);
});
