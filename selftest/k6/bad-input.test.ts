// Each wrong input ends with status 2 and one line that says why and what to do.
import { describe, expect, it } from 'vitest';
import { runLoad, withReference } from './load-command.ts';

const nowhere = 'http://127.0.0.1:9';

const cases: readonly [what: string, args: readonly string[], env: Record<string, string>, line: RegExp][] = [
  ['no script', [], {}, /none is named; choose one of per-minute, burst, per-day, soak, shared/],
  ['an unknown script', ['per-hour'], {}, /"per-hour": it must be one of per-minute, burst, per-day, soak, shared/],
  ['an unknown option', ['soak', '--fast'], {}, /unknown option '--fast'.*--help/],
  [
    'an unknown key',
    ['burst', '--key', 'root'],
    {},
    /--key: got "root", must be some of sandbox, live, enterprise, workspace/,
  ],
  ['an invalid duration', ['soak', '--for', 'long'], {}, /--for: got "long".*90s, 10m, 2h/],
  [
    'several instances of a script that needs a single sender',
    ['per-minute', '--instances', '2'],
    {},
    /--instances with per-minute: it is an option of burst and soak/,
  ],
  ['an option of another script', ['per-day', '--bursts', '3'], {}, /--bursts with per-day: it is an option of burst/],
  ['an invalid setting', ['burst'], { CLOCK_SPEED: 'fast', BASE_URL: nowhere }, /CLOCK_SPEED/],
  [
    'an unreachable target',
    ['burst'],
    { BASE_URL: nowhere, LIVE_API_KEY: 'svc_live_canary0123456789' },
    /Cannot reach BASE_URL http:\/\/127\.0\.0\.1:9.*start the deployment, or correct BASE_URL/,
  ],
  ['a missing trace', ['burst', '--traces', 'none.log'], {}, /Cannot read the trace none\.log/],
];

describe('bad input', { timeout: 120_000 }, () => {
  it.each(cases)('%s', async (_, args, env, line) => {
    const { status, stderr } = await runLoad(args, { env });
    expect(stderr).toMatch(line);
    expect(stderr.trim().split('\n').length).toBe(1);
    expect(status).toBe(2);
  });

  it('a key that is not set, and a budget that may not be used up', () =>
    withReference({ clockSpeed: 20 }, async ({ BASE_URL = '', SANDBOX_API_KEY = '' }) => {
      const env = { BASE_URL, SANDBOX_API_KEY };
      const bare = await runLoad(['per-minute'], { env: { BASE_URL } });
      expect(bare.stderr).toMatch(/^Cannot check BASE_URL without a key: set SANDBOX_API_KEY/);
      const unnamed = await runLoad(['per-minute', '--key', 'workspace'], { env });
      expect(unnamed.stdout).toMatch(/exit status 2\).*WORKSPACE_API_URL is not set/);
      const kept = await runLoad(['per-minute'], { env: { ...env, EXHAUST: 'none' } });
      expect(kept.stdout).toMatch(/exit status 2\).*EXHAUST=all.*\(now: none\)/);
      expect(kept.stdout.match(/^.*SANDBOX_API_KEY is not tried/gm)).toHaveLength(2); // the clause's finding, and the last line
      expect(kept.report?.trace.calls).toBe(0);
      expect([bare.status, unnamed.status, kept.status]).toEqual([2, 2, 2]);
    }));

  it('more requests than MAX_REQUESTS', () =>
    withReference({ clockSpeed: 20 }, async (env) => {
      const { status, stderr } = await runLoad(['soak', '--for', '10m'], { env: { ...env, MAX_REQUESTS: '50' } });
      expect(stderr).toMatch(/MAX_REQUESTS is 50; set it higher/);
      expect(status).toBe(2);
    }));

  it('reports that cannot be written', () =>
    withReference({ clockSpeed: 20 }, async ({ BASE_URL = '', SANDBOX_API_KEY = '' }) => {
      const { status, stderr } = await runLoad(['per-minute'], {
        env: { BASE_URL, SANDBOX_API_KEY, REPORTS_DIR: '/dev/null/no' },
      });
      expect(stderr).toMatch(/Cannot write the reports to \/dev\/null\/no.*REPORTS_DIR/);
      expect(status).toBe(2);
    }));
});
