import { beforeAll, expect, test } from 'vitest';
import { isClause } from '../../contract/clauses.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import { shownByFurther } from './callers.ts';
import { deploymentsInSelftest, drawnInSelftest, plain, selftestJobs } from './jobs.ts';
import { choicePacks, exclusions, faultPacks, singleChoices } from './packs.ts';
import { type Proven, prove } from './prove.ts';
import { seenIn } from './seen-in.ts';

let proven: Proven;
const rowsOf = (name: string) => proven.deployments.filter((row) => row.name === name);

beforeAll(async () => {
  proven = await prove(selftestJobs());
}, 1_110_000);

test.each(faults.map(({ id, fails }) => [id, fails] as const))(
  '%s fails the clauses that it breaks, and no others',
  (id, fails) => {
    const rows = proven.faults.filter((row) => row.id === id);
    expect(rows.flatMap(({ missed, extra, harm }) => [...missed, ...extra, ...harm])).toEqual([]);
    expect([...new Set(rows.flatMap((row) => row.fails))].sort()).toEqual(fails.toSorted());
  },
);

test.each(drawnInSelftest.crossed.map(({ fault, deployment: { name } }) => [fault, name] as const))(
  '%s does so with %s, too',
  (id, name) => {
    const row = proven.crossed.find((one) => one.id === id && one.deployment === name);
    expect(row).toMatchObject({ missed: [], extra: [], harm: [] });
  },
);

test.each(deploymentsInSelftest.map(({ name }) => name))(
  'fails nothing, and leaves no more undecided than it may: %s',
  (name) => {
    expect(rowsOf(name).length).toBeGreaterThan(0);
    expect(rowsOf(name).flatMap(({ alarms }) => alarms)).toEqual([]);
  },
);

test('each fault and each choice is in one pack', () => {
  expect(faultPacks.flatMap((pack) => pack.map(({ id }) => id)).sort()).toEqual(faults.map(({ id }) => id).sort());
  const packed = choicePacks.flatMap(({ name }) => name.split(' '));
  expect(packed.sort()).toEqual(singleChoices.map(({ name }) => name).sort());
});

test('the tables name clauses, faults and choices that exist', () => {
  const known = [...faults.map(({ id }) => id), ...singleChoices.map(({ name }) => name)];
  const named = [...shownByFurther, ...Object.keys(exclusions).flatMap((text) => text.split(' '))];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  expect(Object.keys(seenIn).filter((id) => !isClause(id))).toEqual([]);
  const observed = Object.values(seenIn).flat();
  expect(observed.filter((name) => !choices.some((choice) => choice.name === name))).toEqual([]);
});

test.each(Object.entries(seenIn))(
  'observations distinguish deployments with different choices: %s',
  (clause, names) => {
    const observed = (name: string): string | undefined =>
      rowsOf(name).find((row) => row.observed[clause] !== undefined)?.observed[clause];
    const [usual] = plain.filter(({ api }) => clause.startsWith(`${api}.`)).map(({ name }) => observed(name));
    expect(usual).toBeDefined();
    const own = singleChoices.filter(({ name }) => names.includes(name.split('=')[0] ?? ''));
    const others = own.filter(({ name }) => observed(name) !== usual);
    expect(new Set(others.map(({ name }) => name.split('=')[0]))).toEqual(new Set(names));
  },
);
