// `npm run load`: keys, options, reports, secrets, stops; and the scripts where k6 runs them elsewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingsOfScripts } from '../../load/seam/make-plan.ts';
import { expectNoSecret, ofDeveloper, openStage } from '../e2e/stage.ts';
import { newFolder } from '../new-folder.ts';
import { repository, runK6, runLoad, scriptFile, type Variables } from './run-load.ts';

const nowhere = 'http://127.0.0.1:9';

const { open } = openStage();

describe('bad input ends with 2 and one line that says why', () => {
  it.each<readonly [readonly string[], Variables, RegExp]>([
    [[], {}, /it names no command; see npm run load -- --help/],
    [['per-minut'], {}, /unknown command 'per-minut' \(Did you mean per-minute\?\)/],
    [['burst'], { BASE_URL: nowhere, LIVE_API_KEY: 'svc_live_0123456789' }, /Cannot reach BASE_URL .*correct BASE_URL/],
  ])('%j %j', async (args, env, line) => {
    const { code, stderr } = await runLoad(args, env);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(line)]);
    expect(code).toBe(2);
  });
});

describe.concurrent('npm run load', { timeout: 240_000 }, () => {
  it('makes keys, passes options to k6, shows no key, and leaves nothing behind', async () => {
    // Windows of 20 s: one of 12 s was too short for a busy machine once, which decides nothing.
    const all = (await open({ clockSpeed: 3 })).env;
    const args = ['per-minute', '--', '--out', 'json=out.json', '--tag', 'team=ours'];
    const ran = await runLoad(args, { ...ofDeveloper(all), EXHAUST: 'own' });
    expect(ran.stdout).toMatch(/own live key: 60 calls were admitted/);
    expect([ran.code, ran.report], ran.stdout).toEqual([0, expect.objectContaining({ format: 1, conformant: true })]);
    expect(readFileSync(join(ran.folder, 'out.json'), 'utf8')).toMatch(/"metric":"keys_judged".*"team":"ours"/);
    expect(readFileSync(join(ran.folder, 'reports/latest/load-per-minute.html'), 'utf8')).toMatch(/data-exit="0"/);
    expectNoSecret(ran, all);
    const ledger = join(ran.folder, '.ledger');
    expect(existsSync(ledger) ? readdirSync(ledger).filter((name) => name.endsWith('.jsonl')) : []).toEqual([]);
  });

  it.each(['--nope', '--out=nosuch', '--vus=3'])('k6 refuses %s: that is no crash of the suite', async (option) => {
    const { env } = await open({ clockSpeed: 10 });
    const ran = await runLoad(['burst', '--', option], env);
    expect([ran.code, ran.report]).toEqual([2, null]);
    expect(ran.stderr).toMatch(
      /^Cannot run k6 with --(nope: unknown flag: --nope|out: invalid output type 'nosuch'|vus: .*told of VUs)/m,
    );
  });

  it('has the verdicts of k6’s own thresholds', async () => {
    const { env } = await open({ clockSpeed: 10, faults: ['workspace-limits-exceeded-over-limit-flat'] });
    const ran = await runLoad(['burst', '--bursts', '1', '--alone', '--', '--quiet'], env);
    expect(ran.stderr).toMatch(/✗ 'count==0' count=\d/);
    expect(ran.verdicts).toMatchObject({ 'workspace.limits.exceeded': 'fail' });
    expect(ran.code).toBe(1);
  });

  it('per-day continues where an earlier run of the day stopped', async () => {
    const { env } = await open({ clockSpeed: 10 });
    const folder = newFolder();
    const args = ['per-day', '--key', 'live', '--calls', '100'];
    const part = await runLoad(args, env, { folder });
    expect([part.code, part.report?.trace.admitted]).toEqual([2, 100]);
    const rest = await runLoad(args, env, { folder });
    expect(rest.stderr).toMatch(/100 made today already/);
    expect(rest.stdout).toMatch(/200 of 10000 calls were admitted/);
  });

  it('Ctrl-C: k6 is stopped, the partial report is written, and nothing is decided', async () => {
    const { env } = await open({ clockSpeed: 1 });
    const ran = await runLoad(['soak', '--for', '10m', '--key', 'live'], env, {
      watch: (text, { child }) => {
        if (text.includes('calls') && !text.includes('SIGINT')) {
          child.kill('SIGINT');
        }
      },
    });
    expect(ran.stdout).toMatch(/UNKNOWN \(exit status 2\): the run was stopped by SIGINT/);
    expect([ran.code, ran.report]).toMatchObject([2, { conformant: null, trace: { partial: true } }]);
  });

  it('a target that disappears: the partial trace is kept and reported', async () => {
    const { env, close } = await open({ clockSpeed: 10 });
    const settings = { ...env, TIMEOUT_MS: '1000' };
    const ran = await runLoad(['soak', '--for', '15s', '--key', 'live'], settings, {
      watch: (text) => {
        if (text.includes('calls')) {
          void close();
        }
      },
    });
    expect(ran.stdout).toMatch(/The target stopped answering while the run was under way/);
    expect([ran.code, ran.report]).toMatchObject([2, { conformant: null, trace: { partial: true } }]);
    expect(ran.report?.trace.admitted).toBeGreaterThan(0);
  });
});

describe('k6 elsewhere', () => {
  it('without a key that may be tried, a script ends with 107 and says what is missing', async () => {
    const env = { BASE_URL: nowhere, LIVE_API_KEY: 'svc_live_0123456789' };
    const { code, stderr } = await runK6(['run', '--quiet', scriptFile('burst')], env);
    expect([code, stderr]).toEqual([107, expect.stringMatching(/LIVE_API_KEY needs EXHAUST=all \(now: own\)/)]);
  });

  it('an archive is made and inspected without keys, as k6-operator does, and runs with them', async () => {
    const { env } = await open({ clockSpeed: 10 });
    const folder = newFolder();
    const statusOf = async (...args: readonly string[]): Promise<number | null> => (await runK6(args, {}, folder)).code;
    expect(await statusOf('archive', scriptFile('burst'), '-O', 'burst.tar')).toBe(0);
    expect(await statusOf('archive', 'burst.tar', '-e', 'LOAD_KEY=live', '-O', 'again.tar')).toBe(0);
    expect(await statusOf('inspect', '--execution-requirements', 'again.tar')).toBe(0);
    const one = { ...env, LOAD_KEY: 'live', LOAD_BURSTS: '1', LOAD_ALONE: '1' };
    const args = ['run', '--quiet', 'burst.tar', '--tag', 'instance_id=1'];
    expect((await runK6(args, one, folder)).code).toBe(0);
    const two = await runK6(args, { ...one, LOAD_KEY: 'live,workspace' }, folder);
    expect([two.code, two.stderr]).toEqual([107, expect.stringMatching(/packed for 1 keys, and 2 are set/)]);
  });

  it('the manifest for k6-operator names variables that the scripts read', () => {
    const { spec } = parse(readFileSync(join(repository, 'load/testrun.yaml'), 'utf8')) as {
      readonly spec: { readonly runner: { readonly env: readonly { readonly name: string }[] } };
    };
    const names = spec.runner.env.map(({ name }) => name).filter((name) => !/^(LOAD|K6)_/.test(name));
    expect(names.filter((name) => !settingsOfScripts.includes(name))).toEqual([]);
  });
});
