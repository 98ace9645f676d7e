import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command, and ends it by a signal once it has said something. */
async function run(args: readonly string[], signal?: NodeJS.Signals): Promise<Ended> {
  const child = spawn(process.execPath, ['cli/reference.ts', ...args], { cwd: root });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => {
    out += piece.toString();
    if (signal !== undefined && out.endsWith('\n')) {
      child.kill(signal);
    }
  });
  child.stderr.on('data', (piece: Buffer) => {
    err += piece.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

describe('the command', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('prints one line of settings and ends cleanly on %s', async (signal) => {
    const { code, out, err } = await run([], signal);
    expect([code, err]).toEqual([0, '']);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    const settings = JSON.parse(out) as Record<string, string>;
    expect(settings).toMatchObject({ CLOCK_SPEED: '1', WRITES: 'all', EXHAUST: 'all', WORKSPACE_PLAN: 'starter' });
    for (const name of ['BASE_URL', 'WORKSPACE_API_URL']) {
      expect(settings[name]).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    }
  });

  test('lists faults and choices', async () => {
    const { code, out } = await run(['--list']);
    expect(code).toBe(0);
    expect(out).toContain('--fault envelope-data-list');
    expect(out).toContain('--choice developer-limiter');
  });

  test('says in one line what is wrong, with status 2', async () => {
    const { code, out, err } = await run(['--fault', 'nothing-of-this-name']);
    expect([code, out]).toEqual([2, '']);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(err).toContain('nothing-of-this-name');
  });
});
