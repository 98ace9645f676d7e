import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReference, type Reference } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { expectAgreement, expectNoSecret } from './expect-agreement.ts';
import { type Ended, folders, start } from './run-suite.ts';

type Env = Readonly<Record<string, string>>;

const { make, removeAll } = folders();
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  removeAll();
});

/** Settings that point a run at a reference deployment with these faults, which answers over a socket. */
async function serve(...faults: readonly string[]): Promise<Env> {
  const reference: Reference = createReference({ faults, seed: 3 });
  const { urls, close } = await listen(reference);
  closing.push(close);
  return { ...urls, ...reference.settings };
}

const apiOf = (name: string): string => (name.startsWith('WORKSPACE_') ? 'WORKSPACE_API_URL' : 'BASE_URL');

/** The settings with the URL and the keys of one API alone. */
const only = (env: Env, api: 'BASE_URL' | 'WORKSPACE_API_URL'): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/_URL$|_KEY$/.test(name) || apiOf(name) === api));

let [plain, must, should, page]: [Env, Env, Env, Env] = [{}, {}, {}, {}];
beforeAll(async () => {
  [plain, must, should] = await Promise.all([serve(), serve('auth-query-not-read'), serve('errors-unknown-path-403')]);
  const server = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<title>Sign in</title>'),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve).closeAllConnections();
      }),
  );
  page = { ...plain, BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});

const judging = (chosen: string, env: Env = {}, files: Env = {}): Promise<Ended> => run(['-t', chosen], env, files);

/** Runs npm test's script in a folder of its own, in which these files lie. */
async function run(args: readonly string[], env: Env, files: Env = {}): Promise<Ended> {
  const folder = make();
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  const ended = await start('cli/test.ts', args, env, folder).ended;
  const secrets = Object.entries(env)
    .filter(([name, value]) => /_KEY$|_SECRET$/.test(name) && value.length > 14)
    .map(([, value]) => value);
  expectNoSecret(ended, secrets);
  return ended;
}

const query = 'developer.auth.query';
const unknownPath = 'developer.errors.unknown-path';
const waiver = (expires: string, clause = query): Env => ({
  'known.json': JSON.stringify([{ clause, reason: 'known', expires }]),
});

interface Row {
  readonly says: string;
  readonly run: () => Promise<Ended>;
  readonly code: 0 | 1 | 2;
  /** What the console's last line says. */
  readonly line: RegExp;
  readonly verdicts?: Readonly<Record<string, string>>;
}

const rows: readonly Row[] = [
  {
    says: 'the embedded deployment',
    run: () => judging('developer.auth.header|workspace.auth.bearer'),
    code: 0,
    line: /^CONFORMANT, PARTIAL .*no deployment of yours was judged.*2 of 2 chosen clauses passed/,
    verdicts: { 'developer.auth.header': 'pass', 'workspace.auth.bearer': 'pass', [query]: 'skip' },
  },
  {
    says: 'a correct deployment of both APIs',
    run: () => judging('developer.auth.query|workspace.auth.bearer', plain),
    code: 0,
    line: /: 2 of 2 chosen clauses passed; .* left out 148 clauses; report: reports\/latest\/conformance\.html$/,
    verdicts: { [query]: 'pass', 'workspace.auth.bearer': 'pass' },
  },
  {
    says: 'one API alone',
    run: () => judging('.*auth.bearer', only(plain, 'WORKSPACE_API_URL')),
    code: 0,
    line: /1 of 1 chosen clause of the workspace API passed/,
    verdicts: { 'workspace.auth.bearer': 'pass', 'developer.auth.header': 'skip' },
  },
  {
    says: 'a must that fails',
    run: () => judging(query, must),
    code: 1,
    line: /1 must failed \(developer\.auth\.query\)/,
    verdicts: { [query]: 'fail' },
  },
  {
    says: 'a should that fails',
    run: () => judging(unknownPath, should),
    code: 0,
    line: /: 0 of 1 chosen clause passed, 1 warning/,
    verdicts: { [unknownPath]: 'warn' },
  },
  {
    says: 'a should that fails, with STRICT',
    run: () => judging(unknownPath, { ...should, STRICT: '1' }),
    code: 1,
    line: /1 should failed, and STRICT is set/,
    verdicts: { [unknownPath]: 'warn' },
  },
  {
    says: 'a failure that is waived',
    run: () => judging(query, { ...must, WAIVERS: 'known.json' }, waiver('2999-12-31')),
    code: 0,
    line: /: 0 of 1 chosen clause passed, 1 waived/,
    verdicts: { [query]: 'inconclusive' },
  },
  {
    says: 'a waiver that has expired',
    run: () => judging(query, { ...must, WAIVERS: 'known.json' }, waiver('2020-01-01')),
    code: 1,
    line: /failed.*Waiver has expired/,
    verdicts: { [query]: 'fail' },
  },
  {
    says: 'a waiver that nobody needs',
    run: () => judging(query, { ...plain, WAIVERS: 'known.json' }, waiver('2999-12-31')),
    code: 1,
    line: /Waiver is unused/,
    verdicts: { [query]: 'pass' },
  },
  {
    says: 'settings from a .env file',
    run: () =>
      judging(
        query,
        {},
        {
          '.env': Object.entries(must)
            .map(([name, value]) => `${name}=${value}\n`)
            .join(''),
        },
      ),
    code: 1,
    line: /1 must failed/,
    verdicts: { [query]: 'fail' },
  },
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
    line: /^Cannot use BASEURL in the environment: .*BASE_URL is meant/,
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
    line: /^Cannot reach BASE_URL http:\/\/127\.0\.0\.1:1: Connection is refused/,
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
    line: /nothing was judged.*MAX_REQUESTS/,
  },
];

const lastLine = ({ stdout, stderr }: Ended): string =>
  (stdout === '' ? stderr : stdout).trimEnd().split('\n').at(-1) ?? '';

describe.concurrent('every output agrees with the exit status', { timeout: 120_000 }, () => {
  test.for(rows)('$says: $code', async (row) => {
    const ended = await row.run();
    expect([ended.code, lastLine(ended)]).toEqual([row.code, expect.stringMatching(row.line)]);
    const results = expectAgreement(ended);
    for (const [id, verdict] of Object.entries(row.verdicts ?? {})) {
      expect([id, results.get(id)?.verdict]).toEqual([id, verdict]);
    }
  });

  test('reports that cannot be written: 2, and the folder is named', async () => {
    const folder = make();
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

  test('--help and --list send nothing: 0', async () => {
    const [help, list] = await Promise.all([run(['--help'], page), run(['--list', '-t', 'developer.keys'], page)]);
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('Exit status: 0 conformant;')]);
    expect([list.code, list.stdout.trim().split('\n').length, list.reports.size]).toEqual([0, 8, 0]);
  });
});
