import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ClauseResult } from '../../results/verdict.ts';
import { canDelete } from '../../suites/records/reads.ts';
import { leftLedgers, openLedger } from '../../suites/session/ledger/ledger-file.ts';
import { newFolder } from '../new-folder.ts';
import { oneOf } from '../nightly.ts';
import { deliver, har, senderOf, whsec } from '../unit/webhooks/deliveries.ts';
import { guarded, serve as receive, correct as receivers } from '../unit/webhooks/receiver/receivers.ts';
import { type Ended, start } from './run-suite.ts';
import { ofDeveloper, openStage } from './stage.ts';

const root = resolve(import.meta.dirname, '../..');
const { serve, open } = openStage();

/** The scripts of package.json, with the programs that they start. */
const programs = Object.entries(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts,
).flatMap(([name, script]): [string, string][] => {
  const program = /\bnode .*?([\w/-]+\.ts)$/.exec(script)?.[1];
  return program === undefined ? [] : [[name, program]];
});

const run = (
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder = newFolder(),
) => start(`cli/${script}.ts`, args, env, folder).ended;

/** Runs some clauses against a reference with these faults. */
const runWith = async (faults: readonly string[], ...more: readonly string[]): Promise<Ended> => {
  const chosen = ['developer', '-t', 'developer.auth.(query|header)', '-t', 'developer.(errors.code|scopes.investor)'];
  return run('test', [...chosen, ...more], await serve({ faults }));
};

/** Runs against a correct and a faulty deployment, and the folders with their reports. */
const [correct, faulty] = await Promise.all([
  runWith([]),
  runWith(['auth-query-unread', 'errors-code-forbidden-other'], '--reporter=tap-flat', '--retry=2'),
]);
const [before, now] = [join(correct.folder, 'reports/latest'), join(faulty.folder, 'reports/latest')] as const;

const lines = ({ stdout }: Ended): string[] => stdout.trimEnd().split('\n');

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** None that makes keys: how often their list is read depends on the time of answers. */
const someClauses = String.raw`developer\.sandbox\.(seed|products)|workspace\.(auth|agents|leads)\.`;

describe.concurrent('commands', () => {
  test.for(oneOf(8, programs))('npm run %s has --help, and then does nothing else', async ([, program]) => {
    const ended = await start(program, ['--help'], { BASE_URL: 'http://127.0.0.1:1' }).ended;
    expect([ended.code, ended.stderr, ended.reports.size]).toEqual([0, '', 0]);
    expect(ended.stdout).toMatch(/^(Usage: npm (run|test)|vitest)/);
  });

  test('compare ends with 1 and shows the verdicts that changed, or with 0 if none did', async () => {
    const changed = await run('compare', [before, now]);
    expect([changed.code, lines(changed).at(-1)]).toEqual([1, expect.stringMatching(/^2 verdicts and 0 observed/)]);
    expect(changed.stdout).toMatch(/^ {2}✕ developer\.auth\.query: pass → fail: /m);
    expect((await run('compare', [before, join(before, 'conformance.json')])).code).toBe(0);
  });

  test('repeat makes no calls that WRITES forbids', async () => {
    const settings = { BASE_URL: 'http://127.0.0.1:1', SANDBOX_API_KEY: 'svc_test_0123456789abcdef', WRITES: 'none' };
    const { code, stderr } = await run('repeat', ['developer.errors.code', now], settings);
    expect([code, stderr]).toEqual([2, expect.stringContaining('need WRITES=sandbox')]);
  });

  test('a reporter of Vitest reports a test for each clause; -t may be given again', () => {
    expect(faulty.code).toBe(1);
    const tests = faulty.stdout.split('\n').filter((line) => /^(not )?ok /.test(line) && !line.includes('# SKIP'));
    expect(tests.map((line) => /^(not ok|ok).* > (developer\.\S+)/.exec(line)?.slice(1).join(' '))).toEqual([
      'not ok developer.errors.code',
      'ok developer.auth.header',
      'not ok developer.auth.query',
      'ok developer.scopes.investor',
    ]);
  });

  test('har gives recorded traffic its verdicts, shows no key, and does not overwrite the reports beside it', async () => {
    const here = newFolder();
    const folder = join(here, 'reports', 'latest');
    mkdirSync(folder, { recursive: true });
    const recording = readFileSync(join(now, 'exchanges.har'), 'utf8');
    writeFileSync(join(folder, 'exchanges.har'), recording.replaceAll('svc_test_…', 'svc_test_0123456789abcdef'));
    writeFileSync(join(folder, 'conformance.json'), 'of that run');
    const { origin } = new URL(JSON.parse(recording).log.entries[0].request.url);
    const waived = ['developer.auth.header', 'developer.errors.cod'];
    const waivers = waived.map((clause) => ({ clause, reason: 'known', expires: '2999-12-31' }));
    writeFileSync(join(here, 'waivers.json'), JSON.stringify(waivers));
    const { code, stdout } = await run(
      'har',
      ['reports/latest/exchanges.har'],
      // Nothing is sent, so the target needs no key.
      { REPORTS_DIR: 'reports/latest', WAIVERS: 'waivers.json', BASE_URL: origin },
      here,
    );
    expect([code, stdout]).toEqual([1, expect.stringMatching(/ {2}✕ developer\.errors\.code: /)]);
    // A waiver of a clause that no recording decides may serve another run; one that no clause has is a mistake.
    expect(new Set(stdout.match(/Waiver for [^(]*/g))).toEqual(
      new Set(['Waiver for an unknown clause: developer.errors.cod ']),
    );
    expect(readFileSync(join(folder, 'conformance.json'), 'utf8')).toBe('of that run');
    const report = readFileSync(join(folder, 'har', 'conformance.json'), 'utf8');
    expect(stdout + report).not.toContain('0123456789abcdef');
    const { clauses } = JSON.parse(report) as { clauses: ClauseResult[] };
    expect(clauses.find(({ id }) => id === 'developer.envelope.json')?.verdict).toBe('pass');
    expect(clauses.find(({ id }) => id === 'developer.auth.header')?.verdict).toBe('skip');
  });

  test('cleanup prints one line for each deployment, and forgets a deployment that is gone', async () => {
    const here = newFolder();
    const { ledger, close } = openLedger('left', join(here, '.ledger'));
    const leave = (origin: string, collection: string, ...ids: readonly string[]): void => {
      const intent = { api: 'workspace', origin, collection, keySetting: 'WORKSPACE_API_KEY', tag: 't' } as const;
      for (const id of ids) {
        ledger.note(ledger.intend(canDelete(collection) ? intent : { ...intent, lasting: true }), { id: id });
      }
    };
    leave('http://127.0.0.1:1', '/v1/agents', 'id-0', 'id-1', 'id-2');
    leave('http://127.0.0.1:2', '/v1/leads', 'id-3', 'id-4');
    close();
    const first = await run('cleanup', [], {}, here);
    expect([first.code, lines(first)]).toEqual([
      1,
      [
        expect.stringMatching(/^http:\/\/127\.0\.0\.1:1: 3 left: set WORKSPACE_API_URL to .* --forget http:\/\/127/),
        'http://127.0.0.1:2: nothing to delete; 2 leads that the API cannot delete: id-3, id-4',
      ],
    ]);
    const forgotten = await run('cleanup', ['--forget', 'http://127.0.0.1:1/'], {}, here);
    expect([lines(forgotten), leftLedgers(join(here, '.ledger'))]).toEqual([['http://127.0.0.1:1: 3 forgotten'], []]);
  });

  test('reference prints one line of settings, and ends when npm is ended', async () => {
    const npm = spawn('npm', ['run', '--silent', 'reference'], { cwd: root });
    const [line] = (await once(npm.stdout, 'data')) as [Buffer];
    npm.kill('SIGTERM');
    // The output closes only when the reference, too, has ended.
    await once(npm, 'close');
    const settings = JSON.parse(line.toString()) as object;
    expect(settings).toMatchObject({ CLOCK_SPEED: '1', WRITES: 'all', EXHAUST: 'all', WORKSPACE_PLAN: 'starter' });
  });

  test('reference lists faults and choices, and refuses those that it does not have', async () => {
    const [list, ...refused] = await Promise.all([
      run('reference', ['--list']),
      run('reference', ['--fault', 'nothing-of-this-name']),
      run('reference', ['--upstream', 'http://127.0.0.1:9', '--fault', 'keys-delete-nothing']),
    ]);
    expect([list.code, list.stdout]).toEqual([
      0,
      expect.stringMatching(/--fault auth-deleted-key-cached[\s\S]*--choice/),
    ]);
    expect(refused.map(({ code, stderr }) => [code, stderr.trimEnd().split('\n').length])).toEqual([
      [2, 1],
      [2, 1],
    ]);
  });

  test('plan counts the calls that npm test then sends', async () => {
    const env = { ...(await serve({ clockSpeed: 60 })), EXHAUST: 'none', SEED: '4' };
    const { stdout } = await run('plan', ['-t', someClauses], env);
    const { reports } = await run('test', ['-t', someClauses], env);
    const { requests } = JSON.parse(reports.get('conformance.json') ?? '') as { requests: Record<string, number> };
    const numbersIn = (line = ''): number[] => [...line.matchAll(/ (\d+)(?= |$)/g)].map(([number]) => Number(number));
    for (const api of stdout.split(/\n(?=\w+ API )/).slice(1)) {
      const [head = '', , , all, , , ...rows] = api.split('\n');
      const [total, ...credentials] = numbersIn(all);
      const endpoints = rows.slice(0, rows.indexOf('')).map((row) => numbersIn(row)[0] ?? 0);
      const sent = requests[head.split(' ', 1)[0] ?? ''];
      expect([numbersIn(head)[0], total, sum(credentials), sum(endpoints)]).toEqual([sent, sent, sent, sent]);
    }
  });

  test('plan sends nothing, and keeps to WRITES', async () => {
    let requests = 0;
    const { env } = await open({}, (usual) => (request) => {
      requests += 1;
      return usual(request);
    });
    const settings = { ...ofDeveloper(env), WRITES: 'none', EXHAUST: 'none' };
    const { code, stdout } = await run('plan', [], settings);
    expect([code, requests, stdout.split('\n', 1)]).toEqual([
      ...[0, 0],
      ['What npm test would send with these settings; nothing was sent'],
    ]);
    expect(stdout).toMatch(/^developer API {2}http:\S+ {2}\d+ requests, no writes; judges \d+ of \d+ clauses$/m);
    expect(stdout).toMatch(/^ {2}To judge more, set .*WRITES=sandbox/m);
    expect(stdout).toMatch(/^Takes .*your deployment's response times; /m);
  });

  test('signature shows the scheme and how to verify it, and receiver tests by it; neither shows the secret of .env', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, '.env'), `THE_SECRET='${whsec}'\n`);
    writeFileSync(join(folder, 'good.har'), har(deliver(senderOf('default').sender)));
    const withSecret = (command: string, ...args: string[]) =>
      run(command, [...args, '--secret-from', 'THE_SECRET'], {}, folder);
    const [shown, json] = await Promise.all([
      withSecret('signature', 'good.har'),
      withSecret('signature', 'good.har', '--json'),
    ]);
    expect([shown.code, shown.stderr, json.code]).toEqual([0, '', 0]);
    expect(shown.stdout).toContain('<webhook-id>.<webhook-timestamp>.<body>');
    expect(shown.stdout).toContain('verifyWebhook(scheme, request, secret)');
    writeFileSync(join(folder, 'found.json'), json.stdout);
    const served = await receive(guarded(receivers['standard-webhooks']));
    const tested = await withSecret('receiver', served.url, '--scheme', 'found.json');
    served.close();
    expect([tested.code, tested.stderr, tested.stdout]).toEqual([0, '', expect.stringMatching(/It verifies: all \d+/)]);
    expect(shown.stdout + json.stdout + tested.stdout).not.toContain(whsec.slice(8));
  });
});
