// Real k6 runs of `per-minute` against a reference with faults of its limiter that the reads of one key can show, and with
// algorithms that a correct one may have: all of them in `npm run nightly`, two faults of each API else. All of them run
// at the same time, in one k6 process.
import { beforeAll, describe, expect, it } from 'vitest';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { type Tried, tryAll } from './many-references.ts';

/**
 * Faults of limits that this script cannot show: they appear on other calls, with a second key (k6-scripts), in a
 * second full window (the suites do that), or in a day (k6-day); or they concern the enterprise key, whose thousand
 * calls need a window at real speed.
 */
const elsewhere =
  /on-refused-writes|headers-(?!over-limit|successes)|exceeded-(creations|changes|deletions)|on-live-creation|misspelt|enterprise|reads-apart|writes-free|by-method|posts-free|deletes-free|by-id-free|lead-view-free|query-mode|workspace-.*queries|by-the-clock|day|per-workspace/;

interface Expected extends Tried {
  readonly fails: readonly string[];
  readonly mayFail: readonly string[];
}

const faulty = faults
  .filter(({ id }) => /^(workspace-)?limits-/.test(id) && !elsewhere.test(id))
  .map(({ id, api, fails, mayFail }): Expected => {
    const key = api === 'workspace' ? 'workspace' : /sandbox-as|sandbox-one-more|ninety/.test(id) ? 'sandbox' : 'live';
    return { name: id, key, faults: [id], fails, mayFail };
  });
const sound = choices
  .filter(({ name }) => name === 'developer-limiter' || name === 'workspace-limiter')
  .flatMap(({ name, api, values }) =>
    Object.keys(values).map(
      (value): Expected => ({
        name: `${name}=${value}`,
        key: api === 'workspace' ? 'workspace' : 'live',
        choices: { [name]: value },
        fails: [],
        mayFail: [],
      }),
    ),
  );
const green: Expected = { name: 'green, sandbox', key: 'sandbox', fails: [], mayFail: [] };
const all = process.env.NIGHTLY === undefined ? [...daily(faulty), green] : [...faulty, ...sound, green];

/** Two of each API. */
function daily(some: readonly Expected[]): readonly Expected[] {
  const isOfWorkspace = ({ key }: Expected): boolean => key === 'workspace';
  return [...some.filter(isOfWorkspace).slice(0, 2), ...some.filter((one) => !isOfWorkspace(one)).slice(0, 2)];
}

/** Clauses that wrongly pass, and clauses that wrongly fail. */
function wrongs(clauses: readonly ClauseResult[] | undefined, { fails, mayFail }: Expected): string[] {
  if (clauses === undefined || clauses.length === 0) {
    return ['nothing was judged'];
  }
  const said = ({ id, verdict, findings }: ClauseResult): string =>
    `${id} is ${verdict}: ${findings[0]?.message ?? ''}`;
  const bad = (one: ClauseResult): boolean =>
    one.verdict === 'fail' || one.verdict === 'warn' || one.verdict === 'broken';
  return clauses
    .filter((one) =>
      fails.includes(one.id)
        ? !bad(one)
        : !mayFail.includes(one.id) && (bad(one) || (fails.length === 0 && one.verdict === 'inconclusive')),
    )
    .map(said);
}

// Those that a busy machine leaves undecided are tried again, on a slower clock.
const outcome = new Map<string, string[]>();
let defects: readonly string[] = [];

async function round(tried: readonly Expected[], clockSpeed: number): Promise<void> {
  const run = await tryAll(['per-minute'], tried, clockSpeed);
  defects = run.defects;
  for (const one of tried) {
    outcome.set(one.name, wrongs(run.results.get(one.name), one));
  }
}

describe('per-minute with real k6', () => {
  beforeAll(async () => {
    for (const clockSpeed of [4, 3, 2]) {
      const left = all.filter(({ name }) => outcome.get(name)?.length !== 0);
      if (left.length > 0) {
        await round(left, clockSpeed);
      }
    }
  }, 400_000);

  it('lost no call', () => {
    expect(defects).toEqual([]);
  });
  it.each(all)('$name', (one) => {
    expect(outcome.get(one.name)).toEqual([]);
  });
});
