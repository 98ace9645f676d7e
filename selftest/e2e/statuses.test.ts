import { beforeAll, describe, test } from 'vitest';
import { type Env, expectRow, only, openStage, type Row } from './stage.ts';

const { serve, run } = openStage();

let [plain, must, should]: [Env, Env, Env] = [{}, {}, {}];
beforeAll(async () => {
  plain = await serve();
  must = await serve({ faults: ['auth-query-unread'] });
  should = await serve({ faults: ['errors-unknown-path-gets-403'] });
});

const judging = (chosen: string, env: Env = {}) => run(['-t', chosen], env);

const query = 'developer.auth.query';
const unknownPath = 'developer.errors.unknown-path';

const rows: readonly Row[] = [
  {
    says: 'the embedded deployment',
    run: () => judging('developer.auth.header|workspace.auth.bearer'),
    code: 0,
    line: /^CONFORMANT, PARTIAL .*no deployment of yours was judged.*2 of 2 chosen clauses passed/,
    verdicts: { 'developer.auth.header': 'pass', 'workspace.auth.bearer': 'pass', [query]: 'skip' },
  },
  {
    says: 'one API alone',
    run: () => judging('.*auth.bearer', only(plain, 'WORKSPACE_API_URL')),
    code: 0,
    line: /1 of 1 chosen clause of the workspace API passed/,
    verdicts: { 'workspace.auth.bearer': 'pass', 'developer.auth.header': 'skip' },
  },
  {
    says: "a job's summary that cannot be written",
    run: () => judging(query, { ...plain, GITHUB_STEP_SUMMARY: 'no-such-folder/summary.md' }),
    code: 2,
    line: /Cannot write GITHUB_STEP_SUMMARY no-such-folder\/summary\.md: .*; set it to a file/,
    verdicts: { [query]: 'pass' },
  },
  {
    says: 'a should that fails, with STRICT',
    run: () => judging(unknownPath, { ...should, STRICT: '1' }),
    code: 1,
    line: /1 should clause failed, which STRICT=1 counts/,
    verdicts: { [unknownPath]: 'warn' },
  },
  {
    says: 'a failure that is waived, with settings from a .env file',
    run: () =>
      run(
        ['-t', query],
        {},
        {
          'known.json': JSON.stringify([{ clause: query, reason: 'known', expires: '2999-12-31' }]),
          '.env': Object.entries({ ...must, WAIVERS: 'known.json' })
            .map(([name, value]) => `${name}=${value}\n`)
            .join(''),
        },
      ),
    code: 0,
    line: /: 0 of 1 chosen clause passed, 1 waived/,
    verdicts: { [query]: 'inconclusive' },
  },
];

describe.concurrent('every output agrees with the exit status', { timeout: 120_000 }, () => {
  test.for(rows)('$says: $code', expectRow);
});
