// The scripts as `k6 run` runs them, from variables alone: k6 ends with 0 on correct deployments, and with 99 on faulty
// ones, where it says which clauses failed. A few deployments in the selftest; all that a script can show in
// `npm run nightly`.
import { describe, expect, test } from 'vitest';
import { dayMs, keyLimits, minuteAt } from '../../contract/limits.ts';
import { choices, createReference, faults } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { freshDaySpeed } from '../../load/runner/days.ts';
import type { ScriptName } from '../../load/seam/plan.ts';
import type { Ended } from '../e2e/run-suite.ts';
import { openStage } from '../e2e/stage.ts';
import { isNightly } from '../nightly.ts';
import { runK6, scriptFile, type Variables } from './run-load.ts';

const { open } = openStage();

interface Row {
  readonly script: ScriptName;
  readonly faults?: readonly string[];
  readonly choices?: Variables;
}

const rows: readonly Row[] = [
  { script: 'per-minute' },
  { script: 'per-minute', faults: ['limits-per-minute-one-more', 'workspace-limits-exceeded-over-limit-flat'] },
  { script: 'burst', faults: ['limits-per-minute-per-process', 'workspace-limits-per-minute-per-process'] },
  { script: 'shared', faults: ['workspace-limits-per-workspace-by-key'] },
  { script: 'soak' },
];

/**
 * Faults of limits that per-minute cannot show: they appear on other calls, with a second key, in a second full window
 * (the suites do that), or in a day; or they concern the enterprise key, whose thousand calls need a window at real speed.
 */
const elsewhere =
  /headers-(?!over-limit|successes)|enterprise|writes-free|deletes-free|by-method|query-mode|day|per-workspace/;

/** The other scripts, each fault of the limiter that per-minute can show, and each algorithm that a correct one may have. */
function nightly(): Row[] {
  const shown = faults.filter(({ id }) => /^(workspace-)?limits-/.test(id) && !elsewhere.test(id));
  const limiters = choices.filter(({ name }) => name.endsWith('-limiter'));
  return [
    { script: 'burst' },
    { script: 'shared' },
    { script: 'shared', faults: ['workspace-limits-per-workspace-second-key-free'] },
    {
      script: 'soak',
      faults: ['workspace-responses-json-leads-list-labelled-plain'],
    },
    ...shown.map(({ id }): Row => ({ script: 'per-minute', faults: [id] })),
    ...limiters.flatMap(({ name, values }) =>
      Object.keys(values).map((value): Row => ({ script: 'per-minute', choices: { [name]: value } })),
    ),
  ];
}

/** The clauses that k6 says have failed. */
const failedIn = ({ stderr }: Ended): string[] => [
  ...new Set([...stderr.matchAll(/^fails +(\S+)/gm)].map(([, clause = '']) => clause)),
];

/** What is wrong with how k6 ended: an exit status, a clause that wrongly passed, one that wrongly failed. */
function wrongs(ended: Ended, ids: readonly string[]): string[] {
  const served = faults.filter(({ id }) => ids.includes(id));
  const failed = failedIn(ended);
  const may = served.flatMap(({ fails, mayFail }) => [...fails, ...mayFail]);
  return [
    ...(ended.code === (ids.length === 0 ? 0 : 99) ? [] : [`k6 ended with ${ended.code}: ${ended.stderr}`]),
    ...served.filter(({ fails }) => !fails.some((id) => failed.includes(id))).map(({ id }) => `${id} is not shown`),
    ...failed.filter((id) => !may.includes(id)).map((id) => `${id} failed`),
  ];
}

const run = (script: ScriptName, env: Variables): Promise<Ended> =>
  runK6(['run', '--quiet', '--log-format=raw', scriptFile(script)], { LOAD_ALONE: '1', STRICT: '1', ...env });

/** What a busy machine leaves undecided is tried again, on a slower clock. */
async function judge({ script, faults: ids = [], choices: chosen = {} }: Row): Promise<string[]> {
  let found: string[] = [];
  for (const clockSpeed of [10, 4, 2]) {
    const options = { LOAD_BURSTS: '3', LOAD_FOR: `${Math.ceil(150 / clockSpeed)}s` };
    const { env, close } = await open({ clockSpeed, faults: ids, choices: chosen });
    const { BASE_URL = '', ...settings } = env;
    // Two sandbox keys of one account, which the command makes, are not there.
    const ended = await run(script, { ...settings, ...(script === 'shared' ? {} : { BASE_URL }), ...options });
    await close();
    found = wrongs(ended, ids);
    if (found.length === 0) {
      break;
    }
  }
  return found;
}

const nameOf = ({ script, faults: ids = [], choices: chosen = {} }: Row): string =>
  `${script}: ${[...ids, ...Object.values(chosen)].join(' and ') || 'correct'}`;

/** The last hundred calls of a day. Those before are made in advance, as an earlier run would have. */
async function judgeDay(ids: readonly string[]): Promise<string[]> {
  const spent = 9_900;
  const clockSpeed = freshDaySpeed(60, Date.now());
  let ahead = 0;
  const clock = {
    now: () => Date.now() + ahead,
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        setTimeout(resolve, ms);
      }),
  };
  const reference = createReference({ clock, clockSpeed, faults: ids });
  const { ENTERPRISE_API_KEY: _, SANDBOX_API_KEY: __, ...settings } = reference.settings;
  const { LIVE_API_KEY = '', WORKSPACE_API_KEY = '' } = settings;
  const call = (api: 'developer' | 'workspace', path: string, headers: Record<string, string>): Promise<Response> =>
    reference[api].fetch(new Request(`http://reference.test${path}`, { headers }));
  for (let made = 0; made < spent; made += 1) {
    ahead += made % keyLimits.live.perMinute === 0 ? minuteAt(clockSpeed) : 0;
    await call('developer', '/api/v1/platform/me', { 'X-API-Key': LIVE_API_KEY });
    await call('workspace', '/v1/agents', { Authorization: `Bearer ${WORKSPACE_API_KEY}` });
  }
  expect(ahead).toBeLessThan(dayMs / clockSpeed);
  const { urls, close } = await listen(reference);
  const env = { ...settings, ...urls, LOAD_SPENT: JSON.stringify({ LIVE_API_KEY: spent, WORKSPACE_API_KEY: spent }) };
  return wrongs(await run('per-day', env).finally(close), ids);
}

const faultsOfDays = faults.map(({ id }) => id).filter((id) => /limits-per-day-(?!enterprise)/.test(id));

describe.concurrent('k6 run', { timeout: 300_000 }, () => {
  test.each((isNightly ? [...rows, ...nightly()] : rows).map((row) => [nameOf(row), row] as const))(
    '%s',
    async (_, row) => {
      expect(await judge(row)).toEqual([]);
    },
  );
  test.each(['', ...(isNightly ? faultsOfDays : [])])('per-day: %s', async (id) => {
    expect(await judgeDay(id === '' ? [] : [id])).toEqual([]);
  });
});
