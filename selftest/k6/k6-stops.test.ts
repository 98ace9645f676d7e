// Real k6 runs that mostly wait: sustained traffic, a day that is used up, and runs that are stopped. They wait
// together.

import { describe, expect, it } from 'vitest';
import { freshDaySpeed } from '../../cli/load/embedded.ts';
import { newFolder } from '../new-folder.ts';
import { commandLines, runLoad, verdictsOf, without, withReference } from './load-command.ts';

describe.concurrent('npm run load', { timeout: 240_000 }, () => {
  it('soak: an envelope that breaks during the run, and traffic without a defect', () =>
    withReference({ clockSpeed: 20, faults: ['envelope-trace-id-without-variant'] }, async (env) => {
      const ran = await runLoad(['soak', '--for', '7s'], { env: without(env, 'ENTERPRISE_API_KEY') });
      expect(verdictsOf(ran)).toMatchObject({
        'workspace.limits.per-minute': 'pass',
        'workspace.responses.json': 'pass',
        'developer.envelope.json': 'pass',
      });
      expect(ran.status).not.toBe(null);
    }));

  it('per-day: a daily limit that is exact, over two runs, and one that is too low', () =>
    withReference(
      { clockSpeed: freshDaySpeed(600, Date.now()), faults: ['workspace-limits-per-day-halved'] },
      async (env) => {
        const folder = newFolder();
        const part = await runLoad(['per-day', '--key', 'live', '--calls', '3000'], { env, folder });
        expect(part.report?.trace.admitted, part.stdout + part.stderr).toBe(3000);
        expect([part.status, verdictsOf(part)['developer.limits.per-day']]).toEqual([2, 'inconclusive']);
        const rest = await runLoad(['per-day', '--key', 'live,workspace', '--alone'], { env, folder });
        expect(rest.stderr).toMatch(/3,000 made today already/);
        expect(verdictsOf(rest)).toMatchObject({
          'developer.limits.per-day': 'pass',
          'workspace.limits.per-day': 'fail',
        });
        expect(rest.status).toBe(1);
        expect(rest.stdout).toMatch(/10000 calls were admitted in the day, and the next was refused/);
      },
    ));

  it('Ctrl-C: k6 is stopped, the partial report is written, and nothing is decided', () =>
    withReference({ clockSpeed: 1 }, async (env) => {
      let stopped = false;
      const ran = await runLoad(['soak', '--for', '10m', '--key', 'live'], {
        env,
        onError: (text, child) => {
          if (stopped || !text.includes('k6 v')) {
            return;
          }
          stopped = true;
          setTimeout(() => {
            child.kill('SIGINT');
          }, 3000);
        },
      });
      expect(ran.status).toBe(2);
      expect(ran.stdout).toMatch(/UNKNOWN \(exit status 2\): The run was stopped by SIGINT/);
      expect(ran.report).toMatchObject({ conformant: null, trace: { partial: true } });
      expect(commandLines()).not.toContain(ran.folder);
    }));

  it('a target that disappears during the run: the partial trace is kept and reported', () =>
    withReference({ clockSpeed: 1 }, async (env, close) => {
      const ran = await runLoad(['soak', '--for', '8s', '--key', 'live'], {
        env: { ...env, TIMEOUT_MS: '1000' },
        onError: (text) => {
          if (text.includes('k6 v')) {
            setTimeout(() => {
              void close();
            }, 3500);
          }
        },
      });
      expect(ran.status).toBe(2);
      expect(ran.stdout).toMatch(/The target stopped answering while the run was under way/);
      expect(ran.report).toMatchObject({ conformant: null, trace: { partial: true } });
      expect(ran.report?.trace.admitted).toBeGreaterThan(0);
    }));
});
