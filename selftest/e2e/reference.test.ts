import { describe, expect, test } from 'vitest';
import { type Ended, start } from './run-suite.ts';

/** Runs the command, and ends it by a signal after its first output. */
function run(args: readonly string[], signal?: NodeJS.Signals): Promise<Ended> {
  const { child, ended } = start('cli/reference.ts', args, {});
  child.stdout?.once('data', () => signal !== undefined && child.kill(signal));
  return ended;
}

describe('the command', () => {
  test('prints one line of settings and ends cleanly when it is ended', async () => {
    const { code, stdout, stderr } = await run([], 'SIGINT');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    const settings = JSON.parse(stdout) as Record<string, string>;
    expect(settings).toMatchObject({ CLOCK_SPEED: '1', WRITES: 'all', EXHAUST: 'all', WORKSPACE_PLAN: 'starter' });
    for (const name of ['BASE_URL', 'WORKSPACE_API_URL']) {
      expect(settings[name]).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    }
  });

  test('lists faults and choices', async () => {
    const { code, stdout } = await run(['--list']);
    expect(code).toBe(0);
    expect(stdout).toContain('--fault auth-query-other-name');
    expect(stdout).toContain('--choice developer-limiter');
  });

  test('before another deployment, prints its own URL alone, and refuses faults that change more than answers', async () => {
    const upstream = ['--upstream', 'http://127.0.0.1:9'];
    const { code, stdout } = await run(upstream, 'SIGTERM');
    expect([code, Object.keys(JSON.parse(stdout) as object)]).toEqual([0, ['BASE_URL']]);
    expect(await run([...upstream, '--fault', 'keys-delete-nothing'])).toMatchObject({ code: 2 });
  });

  test.each([
    [['--fault', 'nothing-of-this-name'], 'nothing-of-this-name'],
    [['--choice', 'name'], "argument 'name' is invalid. It must be of the form NAME=VALUE"],
  ])('%j: says in one line what is wrong, and ends with 2', async (args, what) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(what)]);
  });
});
