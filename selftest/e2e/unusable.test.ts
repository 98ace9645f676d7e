import { execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
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
