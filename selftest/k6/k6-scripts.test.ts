// `npm run load` as a user runs it, with real k6 against the reference: verdicts, reports, secrets, stops.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Variation } from '../../fixtures/reference/vary.ts';
import { findK6 } from '../../load/runner/find-k6.ts';
import { newFolder } from '../new-folder.ts';
import { commandLines, type Ran, repository, runLoad, verdictsOf, without, withReference } from './load-command.ts';

const files = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });

const forms = (key: string): string[] => [
  key,
  encodeURIComponent(key),
  Buffer.from(key).toString('base64').replace(/=+$/, ''),
];

/** The outputs of a run that contain a key. */
function leaks(ran: Ran, keys: readonly string[]): string[] {
  const texts = [
    ['stdout', ran.stdout],
    ['stderr', ran.stderr],
    ...files(ran.folder).map((file) => [file, readFileSync(file, 'latin1')]),
  ] as const;
  return texts
    .filter(([, text]) => keys.some((key) => forms(key).some((form) => text.includes(form))))
    .map(([place]) => place);
}

const keysOf = (env: Readonly<Record<string, string>>): string[] =>
  Object.entries(env)
    .filter(([name]) => name.endsWith('_API_KEY'))
    .map(([, key]) => key);

/** The clock speeds that are tried until nothing is undecided: on a busy machine, fast windows are too short. */
async function settled(args: readonly string[], variation: Variation): Promise<Ran> {
  const once = (clockSpeed: number): Promise<Ran> =>
    withReference({ ...variation, clockSpeed }, (env) => runLoad(args, { env: without(env, 'ENTERPRISE_API_KEY') }));
  const first = await once(10);
  return first.report?.clauses.some(({ verdict }) => verdict === 'inconclusive') ? once(3) : first;
}

describe('npm run load', { timeout: 240_000 }, () => {
  it('per-minute: passes and writes its reports, whatever K6_* and a configuration file say; no output has a key', () =>
    withReference({ clockSpeed: 10 }, async (all) => {
      const env = without(all, 'ENTERPRISE_API_KEY', 'WORKSPACE_SECOND_API_KEY');
      const home = newFolder();
      mkdirSync(join(home, '.config/k6'), { recursive: true });
      writeFileSync(join(home, '.config/k6/config.json'), '{"iterations": 1, "vus": 1}');
      let seen = '';
      const ran = await runLoad(['per-minute', '--key', 'live,workspace', '--alone'], {
        env: {
          ...env,
          HOME: home,
          K6_ITERATIONS: '1',
          K6_VUS: '1',
          K6_OUT: 'json=samples.json',
          K6_DURATION: '1s',
          GOCACHE: join(process.env.HOME ?? '', '.cache/go-build'),
        },
        onError: () => {
          seen += commandLines();
        },
      });
      expect(ran.stdout).toMatch(/CONFORMANT \(exit status 0\)/);
      expect(ran.status).toBe(0);
      expect(ran.report).toMatchObject({ format: 1, script: 'per-minute', conformant: true });
      expect(ran.report?.trace.admitted).toBeGreaterThanOrEqual(120);
      expect(
        ran.report?.clauses
          .map(({ verdict }) => verdict)
          .filter((verdict) => verdict !== 'pass' && verdict !== 'observed'),
      ).toEqual([]);
      expect(readFileSync(join(ran.folder, 'reports/load-per-minute.html'), 'utf8')).toMatch(
        /data-conformant="true" data-exit="0"/,
      );
      expect(leaks(ran, keysOf(env))).toEqual([]);
      expect(keysOf(env).filter((key) => seen.includes(key))).toEqual([]);
      expect(existsSync(join(ran.folder, 'samples.json'))).toBe(false);
    }));

  it('burst: two instances, each with its execution segment, are judged together', async () => {
    const ran = await settled(['burst', '--bursts', '1', '--instances', '2', '--key', 'live', '--alone'], {});
    expect(verdictsOf(ran)).toMatchObject({
      'developer.limits.per-minute': 'pass',
      'developer.limits.remaining': 'pass',
    });
    expect(ran.report?.trace).toMatchObject({ calls: 78, admitted: 60, refused: 18 });
    expect(ran.status).toBe(0);
  });

  it('burst: four instances show a counter in two parts', async () => {
    const ran = await settled(['burst', '--bursts', '2', '--instances', '4', '--key', 'workspace', '--alone'], {
      faults: ['workspace-limits-per-minute-per-process'],
    });
    expect(verdictsOf(ran)).toMatchObject({ 'workspace.limits.per-minute': 'fail' });
    expect(ran.report?.trace.calls).toBe(156);
    expect(ran.status).toBe(1);
  });

  it.each(['workspace-limits-per-workspace-by-key', 'workspace-limits-per-workspace-second-key-free'])(
    'shared: one budget for two keys of a workspace, or not: %s',
    async (fault) => {
      const ran = await settled(['shared', '--alone'], { faults: [fault] });
      expect(verdictsOf(ran)).toEqual({
        'workspace.limits.per-workspace': 'fail',
        'developer.limits.key-or-account': 'observed',
      });
      expect(ran.status).toBe(1);
      expect(
        existsSync(join(ran.folder, '.ledger'))
          ? readdirSync(join(ran.folder, '.ledger')).filter((name) => name.endsWith('.jsonl'))
          : [],
      ).toEqual([]);
    },
  );

  it('somebody else uses the same key: inconclusive, not failed', () =>
    withReference({ clockSpeed: 4 }, async (env) => {
      const stranger = setInterval(() => {
        void fetch(`${env.BASE_URL}/api/v1/platform/me`, {
          headers: { 'X-API-Key': env.LIVE_API_KEY ?? '' },
        }).then(
          (answer) => answer.text(),
          () => null,
        );
      }, 250);
      try {
        const ran = await runLoad(['per-minute', '--key', 'live'], { env });
        expect(verdictsOf(ran)['developer.limits.per-minute']).toBe('inconclusive');
        expect(ran.stdout).toMatch(/somebody else uses the key/);
        expect(ran.status).toBe(2);
      } finally {
        clearInterval(stranger);
      }
    }));

  it('an archive holds no key, runs under k6 by itself, and its traces are judged', () =>
    withReference({ clockSpeed: 10 }, async (env) => {
      const folder = newFolder();
      const packed = await runLoad(['burst', '--bursts', '1', '--key', 'live', '--alone', '--archive', 'burst.tar'], {
        env,
        folder,
      });
      expect(packed.status).toBe(0);
      expect(leaks(packed, keysOf(env))).toEqual([]);
      const { path } = await findK6({ env: process.env, say: () => {} });
      const plan = readFileSync(join(folder, 'burst.tar.plan.json'), 'utf8').trim();
      const instance = (segment: string): Promise<string> =>
        new Promise((resolve) => {
          const args = [
            'run',
            '--quiet',
            '--no-thresholds',
            '--no-usage-report',
            '--execution-segment',
            segment,
            '--execution-segment-sequence',
            '0,1/2,1',
            join(folder, 'burst.tar'),
          ];
          execFile(
            path,
            args,
            { env: { PATH: process.env.PATH, LOAD_PLAN: plan, LIVE_API_KEY: env.LIVE_API_KEY }, maxBuffer: 1e8 },
            (_, stdout, stderr) => {
              resolve(stdout + stderr);
            },
          );
        });
      const logs = await Promise.all(['0:1/2', '1/2:1'].map(instance));
      logs.forEach((log, index) => {
        writeFileSync(join(folder, `runner-${index}.log`), log);
      });
      const judged = await runLoad(['burst', '--traces', 'runner-0.log,runner-1.log'], {
        env: { CLOCK_SPEED: '10' },
        folder,
      });
      expect(judged.report?.trace.calls, judged.stderr + logs.join('').slice(0, 500)).toBe(78);
      expect(leaks(judged, keysOf(env))).toEqual([]);
      expect(judged.stdout).toMatch(/exit status [012]/);
    }));
});

it('is started by the command of INTERFACE', () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts.load).toBe('node cli/load.ts');
});
