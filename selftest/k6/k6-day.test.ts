// Real k6 runs of `per-day` for the last calls of a day, against a reference with each fault of the daily limit in
// `npm run nightly`, with two else. The calls before them are made in advance, as an earlier run of the day would have.
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDaySpeed } from '../../cli/load/embedded.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { type Tried, tryAll } from './many-references.ts';

const before = { live: 9_900, workspace: 9_900, sandbox: 49_900, enterprise: 49_900 };
/** If the day's limit is lower, so is the number of calls before the run. */
const early: Readonly<Record<string, number>> = {
  'limits-per-day-sandbox-a-tenth': 4_900,
  'workspace-limits-per-day-halved': 4_900,
};

const ofDays = faults
  .filter(
    ({ fails }) =>
      fails.some((clause) => clause.endsWith('.limits.per-day')) &&
      !fails.some((clause) => clause.endsWith('.per-minute')),
  )
  .slice(0, process.env.NIGHTLY === undefined ? 2 : undefined);
const faulty = ofDays.map(({ id, api, keyTypes = ['live'] }): Tried => {
  const key = api === 'workspace' ? 'workspace' : (keyTypes[0] ?? 'live');
  return { name: id, key, faults: [id], spent: early[id] ?? before[key] };
});
const green: readonly Tried[] = [
  { name: 'green, live', key: 'live', spent: before.live },
  { name: 'green, sandbox', key: 'sandbox', spent: before.sandbox },
  { name: 'green, workspace', key: 'workspace', spent: before.workspace },
  { name: 'green, enterprise', key: 'enterprise', spent: before.enterprise },
];

const verdictOf = (results: ReadonlyMap<string, readonly ClauseResult[]>, name: string): ClauseResult | undefined =>
  results.get(name)?.find(({ id }) => id.endsWith('.limits.per-day'));

const speed = freshDaySpeed(60, Date.now());

describe('per-day with real k6', () => {
  const results = new Map<string, readonly ClauseResult[]>();
  const defects: string[] = [];

  beforeAll(async () => {
    // With an unlimited day, the script makes as many calls as it is told to.
    const all = [...green, ...faulty];
    const [unlimited, limited] = [
      all.filter(({ key }) => key === 'enterprise'),
      all.filter(({ key }) => key !== 'enterprise'),
    ];
    for (const [args, tried] of [
      [['per-day'], limited],
      [['per-day', '--calls', '150'], unlimited],
    ] as const) {
      const run = await tryAll(args, tried, speed);
      defects.push(...run.defects);
      for (const [name, result] of run.results) {
        results.set(name, result);
      }
    }
  }, 300_000);

  it('lost no call', () => {
    expect(defects).toEqual([]);
  });
  it.each(green.map(({ name }) => name))('%s', (name) => {
    expect(verdictOf(results, name)).toMatchObject({ verdict: 'pass' });
  });
  it.each(faulty.map(({ name }) => name))('%s', (name) => {
    expect(verdictOf(results, name)).toMatchObject({ verdict: 'fail' });
  });

  it('waits for the day to end, and finds that calls succeed again', async () => {
    const restored: Tried = { name: 'restored', key: 'workspace', spent: before.workspace, dayLeft: 30_000 };
    const run = await tryAll(['per-day', '--restore'], [restored], speed);
    expect(run.defects).toEqual([]);
    expect(verdictOf(run.results, 'restored')).toMatchObject({ verdict: 'pass' });
    expect(JSON.stringify(verdictOf(run.results, 'restored')?.observed)).toMatch(/"evidence":"restored"/);
  }, 200_000);
});
