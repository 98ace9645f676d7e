import { beforeAll, expect, test } from 'vitest';
import { isClause } from '../../contract/clauses.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import { shownByFurther } from './callers.ts';
import { correctInSelftest, plain, selftestJobs } from './jobs.ts';
import { choicePacks, exclusions, singleChoices } from './packs.ts';
import { prove } from './prove.ts';
import type { Row } from './row.ts';
import { seenIn } from './seen-in.ts';

let rows: readonly Row[];

beforeAll(async () => {
  rows = await prove(selftestJobs());
}, 1_110_000);

test.each(faults.map(({ id }) => id))('%s fails the clauses that it breaks, and no others', (id) => {
  expect(rows.filter((row) => row.fault === id).flatMap(({ wrong }) => wrong)).toEqual([]);
});

test.each(correctInSelftest.map(({ name }) => name))('nothing fails, and no more is open than may be: %s', (name) => {
  const own = rows.filter((row) => row.name === name);
  expect(own.length).toBeGreaterThan(0);
  expect(own.flatMap(({ wrong }) => wrong)).toEqual([]);
});

test('each choice is in one pack', () => {
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
      rows.find((row) => row.name === name && row.observed[clause] !== undefined)?.observed[clause];
    const [usual] = plain.filter(({ api }) => clause.startsWith(`${api}.`)).map(({ name }) => observed(name));
    expect(usual).toBeDefined();
    const own = singleChoices.filter(({ name }) => names.includes(name.split('=')[0] ?? ''));
    const others = own.filter(({ name }) => observed(name) !== usual);
    expect(new Set(others.map(({ name }) => name.split('=')[0]))).toEqual(new Set(names));
  },
);
