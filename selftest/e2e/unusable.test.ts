import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../new-folder.ts';
import { start } from './run-suite.ts';
import { type Env, expectRow, only, openStage, type Row } from './stage.ts';

const { serve, serveHandler, run } = openStage();

let [plain, page]: [Env, Env] = [{}, {}];
beforeAll(async () => {
  plain = await serve();
  const BASE_URL = await serveHandler((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<title>Sign in</title>'),
  );
  page = { ...plain, BASE_URL };
});

const judging = (chosen: string, env: Env = {}) => run(['-t', chosen], env);
const query = 'developer.auth.query';

const rows: readonly Row[] = [
  {
    says: 'a -t that matches nothing',
    run: () => judging('developer.atuh'),
    code: 2,
    line: /-t developer\.atuh.*developer\.auth/,
  },
  {
    says: 'a -t of an API that is no target',
    run: () => judging('workspace', only(plain, 'BASE_URL')),
    code: 2,
    line: /WORKSPACE_API_URL/,
  },
  {
    says: 'an option that nobody knows',
    run: () => run(['--no-such-option'], {}),
    code: 2,
    line: /Unknown option.*npm test -- --help/,
  },
  {
    says: 'an unknown value',
    run: () => run([], { WRITES: 'some' }),
    code: 2,
    line: /^Cannot use WRITES: got "some", must be one of none, sandbox, all$/,
  },
  {
    says: 'a URL without a scheme',
    run: () => run([], { ...plain, BASE_URL: 'api.example.test' }),
    code: 2,
    line: /^Cannot use BASE_URL: got "api\.example\.test".*write https:\/\/api\.example\.test$/,
  },
  {
    says: 'a key in the wrong place',
    run: () => run([], { ...plain, SANDBOX_API_KEY: plain.LIVE_API_KEY ?? '' }),
    code: 2,
    line: /^Cannot use SANDBOX_API_KEY: .*it looks like the key for LIVE_API_KEY/,
  },
  {
    says: 'settings whose secrets do not exist',
    run: () => run([], { BASE_URL: '', SANDBOX_API_KEY: '', WORKSPACE_API_URL: '' }),
    code: 2,
    line: /^Cannot use BASE_URL: it is set but empty/,
  },
  {
    says: 'a setting that is misspelt',
    run: () => run([], { BASEURL: plain.BASE_URL ?? '', SANDBOX_API_KEY: plain.SANDBOX_API_KEY ?? '' }),
    code: 2,
    line: /^Unknown setting BASEURL in the environment: did you mean BASE_URL\?/,
  },
  {
    says: 'a key without its URL',
    run: () => run([], { SANDBOX_API_KEY: plain.SANDBOX_API_KEY ?? '' }),
    code: 2,
    line: /^Cannot use SANDBOX_API_KEY without BASE_URL/,
  },
  {
    says: 'a target without a key',
    run: () => run([], { BASE_URL: 'http://127.0.0.1:1' }),
    code: 2,
    line: /set SANDBOX_API_KEY/,
  },
  {
    says: 'a file that is not there',
    run: () => run([], { BODIES: 'none.json' }),
    code: 2,
    line: /^Cannot use BODIES none\.json/,
  },
  {
    says: 'a target that is down',
    run: () => run([], { ...plain, BASE_URL: 'http://127.0.0.1:1' }),
    code: 2,
    line: /^Cannot reach BASE_URL http:\/\/127\.0\.0\.1:1: Connection refused/,
  },
  {
    says: 'a target that is a web page',
    run: () => run([], page),
    code: 2,
    line: /BASE_URL.*an HTML page titled "Sign in"/,
  },
  {
    says: 'a key that is refused',
    run: () => run([], { ...plain, SANDBOX_API_KEY: 'svc_test_0123456789abcdef0123456789' }),
    code: 2,
    line: /^Cannot use SANDBOX_API_KEY.*401/,
  },
  {
    says: 'no request to spend',
    run: () => judging(query, { ...only(plain, 'BASE_URL'), MAX_REQUESTS: '2' }),
    code: 2,
    line: /could be judged.*MAX_REQUESTS/,
  },
  {
    says: 'https to a port that speaks plain HTTP',
    run: () => run([], { ...plain, BASE_URL: (plain.BASE_URL ?? '').replace('http:', 'https:') }),
    code: 2,
    line: /^Cannot reach BASE_URL https:.*the port speaks plain HTTP: set BASE_URL to http:\/\/127\.0\.0\.1:\d+$/,
  },
];

describe.concurrent('a run that cannot be made ends with 2, one line, and reports that say the same', {
  timeout: 120_000,
}, () => {
  test.for(rows)('$says: $code', expectRow);

  test('reports that cannot be written: 2, and the folder is named', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'taken'), '');
    mkdirSync(join(folder, 'empty'));
    const { code, stdout, stderr } = await start(
      'cli/test.ts',
      ['-t', query],
      { ...plain, REPORTS_DIR: 'taken/reports' },
      folder,
    ).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^Cannot write the reports to .*taken\/reports: .*; set REPORTS_DIR to a folder that can be written\n$/,
    );
  });

  test('reports that can no longer be written at the end: 2, and the console shows the verdicts', async () => {
    const folder = newFolder();
    const reports = join(folder, 'reports');
    const BASE_URL = await serveHandler(async ({ url, headers }, response) => {
      rmSync(reports, { recursive: true, force: true });
      writeFileSync(reports, '');
      const came = await fetch(`${plain.BASE_URL}${url}`, { headers: headers as Env });
      response.writeHead(came.status, Object.fromEntries(came.headers)).end(await came.text());
    });
    const env = { ...plain, BASE_URL, REPORTS_DIR: reports };
    const { code, stdout, stderr } = await start('cli/test.ts', ['-t', 'developer.routing.me'], env, folder).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Cannot write the reports to .*reports: /m);
    expect(stdout).toMatch(
      /Totals {2}2 pass\n.*UNKNOWN, PARTIAL \(exit status 2\): Cannot write the reports to [^;]*; set REPORTS_DIR[^;]*\n$/,
    );
  });

  test('a setting in a pipe that cannot be used: 2, and the reports go where the pipe says', async () => {
    const folder = newFolder();
    execFileSync('mkfifo', [join(folder, '.env')]);
    const writer = spawn('sh', ['-c', "printf 'REPORTS_DIR=own\\nWRITES=some\\n' > .env"], { cwd: folder });
    const { code, stderr } = await start('cli/test.ts', [], {}, folder).ended;
    writer.kill('SIGKILL');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^Cannot use WRITES: [^\n]*\n$/)]);
    expect(existsSync(join(folder, 'own/conformance.json'))).toBe(true);
  });

  test('--help and --list send nothing: 0', async () => {
    const [help, list] = await Promise.all([run(['--help'], page), run(['--list', '-t', 'developer.keys'], page)]);
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('Exit status: 0 conformant;')]);
    expect([list.code, list.stdout.trim().split('\n').length, list.reports.size]).toEqual([0, 9, 0]);
  });
});
