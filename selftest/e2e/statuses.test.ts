import { describe, expect, test } from 'vitest';
import { start } from './run-suite.ts';
import { type Env, expectAgreement, lastLine, openStage, startSuite } from './stage.ts';

const { serve } = openStage();

const plain = await serve();
const must = await serve({ faults: ['auth-query-unread', 'errors-unknown-path-gets-403'] });
const down = { ...plain, BASE_URL: 'http://127.0.0.1:1' };

const query = 'developer.auth.query';
const unknownPath = 'developer.errors.unknown-path';
const waiver = JSON.stringify([{ clause: query, reason: 'known', expires: '2999-12-31' }]);
const lines = (env: Env): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

/** A run, and how it must end: its status, the last line of the console, and verdicts. */
interface Row {
  readonly says: string;
  /** The clauses that are judged; all if not given. */
  readonly chosen?: string;
  /** Further options. */
  readonly options?: readonly string[];
  readonly env: Env;
  readonly files?: Env;
  readonly code: 0 | 1 | 2;
  readonly line: RegExp;
  readonly verdicts?: Env;
}

const rows: readonly Row[] = [
  {
    says: 'one API alone, which a shard is, with DEBUG, which prints keys',
    chosen: '.*auth.(bearer|header)',
    options: ['--shard', '1/2'],
    env: { ...plain, DEBUG: '*' },
    code: 0,
    line: /1 of 1 chosen clause passed; workspace /,
    verdicts: { 'workspace.auth.bearer': 'pass', 'developer.auth.header': 'skip' },
  },
  {
    says: 'with settings from a .env file, a failed must that is waived, and with STRICT a failed should',
    chosen: `${query}|${unknownPath}`,
    env: {},
    files: { 'known.json': waiver, '.env': lines({ ...must, STRICT: '1', WAIVERS: 'known.json' }) },
    code: 1,
    line: /: 1 should clause failed, which STRICT=1 counts \(developer\.errors\.unknown-path\)/,
    verdicts: { [query]: 'inconclusive', [unknownPath]: 'warn' },
  },
  { says: 'a setting that cannot be used', env: { WRITES: 'some' }, code: 2, line: /^Cannot use WRITES/ },
  // Its modules cannot be loaded by Node itself.
  {
    says: 'a pool of vm contexts',
    options: ['--pool', 'vmThreads'],
    env: {},
    code: 2,
    line: /^Cannot run with --pool/,
  },
  {
    says: 'a target that is down',
    env: down,
    code: 2,
    line: /^Cannot reach BASE_URL http:\/\/127\.0\.0\.1:1: Connection refused/,
  },
];

describe.concurrent('every output agrees with the exit status', () => {
  test.for(rows)('$says: $code', async ({ chosen, options = [], env, files, code, line, verdicts = {} }) => {
    const args = [...(chosen === undefined ? [] : ['-t', chosen]), ...options];
    const ended = await startSuite(args, env, files).ended;
    expect([ended.code, lastLine(ended)]).toEqual([code, expect.stringMatching(line)]);
    const results = expectAgreement(ended);
    expect(Object.keys(verdicts).map((id) => results.get(id)?.verdict)).toEqual(Object.values(verdicts));
  });

  test('reports that cannot be written: 2', async () => {
    const ended = await startSuite([], { ...plain, REPORTS_DIR: 'file/in' }, { file: '' }).ended;
    const line =
      'Cannot write the reports to file/in: not a directory; set REPORTS_DIR to a folder that can be written';
    expect([ended.code, lastLine(ended)]).toEqual([2, line]);
  });

  test('NODE_DEBUG, which prints keys, is refused', async () => {
    expect(await start('cli/load.ts', ['per-minute'], { NODE_DEBUG: 'http' }).ended).toMatchObject({
      code: 2,
      stderr: 'Cannot run with NODE_DEBUG set, which would print keys: unset it\n',
    });
  });
});
