import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { type Ended, makeFolder, removeFolder, runScript } from './run-suite.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * Runs both suites completely, with EXHAUST=all and an enterprise key, against the reference deployment in a process of
 * its own.
 */
export async function wholeRun(env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [resolve(root, 'cli/reference.ts'), '--clock-speed', '60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const cwd = makeFolder();
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const settings = Object.entries(JSON.parse(line.toString()) as Record<string, unknown>);
    const given = Object.fromEntries(settings.map(([name, value]) => [name, String(value)]));
    const all = { ...given, EXHAUST: 'all', WRITES: 'all', ...env };
    return await runScript('cli/test.ts', { env: all, cwd, mostSeconds: 300 });
  } finally {
    child.kill();
    removeFolder(cwd);
  }
}
