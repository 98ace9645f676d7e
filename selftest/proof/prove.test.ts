import { beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../../contract/clause.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import { combinationSeed, combinations, combinationsEach, singleValues } from './choice-row.ts';
import { nameOf } from './matrix-data.ts';
import { readMatrix } from './matrix-file.ts';
import { type Proven, prove } from './prove.ts';

// Every row of the matrix made anew, and held against what it has to be and against the committed one.
const apis: readonly Api[] = ['developer', 'workspace'];
const committed = readMatrix();
const stale = 'reports/matrix is stale: npm run matrix';
let proven: Proven;

beforeAll(async () => {
  proven = await prove(() => {});
}, 900_000);

describe('a fault turns red the clauses that state what broke, and no others', () => {
  test.each(faults.map(({ id }, index) => [id, index] as const))('%s', (id, index) => {
    const row = proven.faults[index];
    expect({ id: row?.id, missed: row?.missed, extra: row?.extra }).toEqual({ id, missed: [], extra: [] });
    expect(row?.reds).not.toEqual([]);
    expect(committed.faults[index], stale).toEqual(row);
  });
});

describe('a choice is all green, and no more is left open than it must be', () => {
  const names = apis.flatMap((api) => singleValues(api).map(nameOf));
  test.each(names.map((name, index) => [name, index] as const))('%s', (name, index) => {
    const row = proven.alone[index];
    expect(row?.alarms).toEqual([]);
    expect(committed.choices[index], stale).toEqual({ chosen: name, open: row?.open });
  });
});

describe(`a combination of choices is all green (seed ${combinationSeed})`, () => {
  const drawn = apis.flatMap((api) =>
    combinations(api, combinationsEach).map((chosen, i) => [`${api} ${i}`, nameOf(chosen)] as const),
  );
  test.each(drawn.map(([name, chosen], index) => [name, chosen, index] as const))('%s', (_, chosen, index) => {
    expect(nameOf(proven.together[index]?.chosen ?? {})).toBe(chosen);
    expect(proven.together[index]?.alarms, chosen).toEqual([]);
  });
});
