import { describe, expect, test } from 'vitest';
import type { Api } from '../../contract/clause.ts';
import { choiceRow, combinations, combinationSeed, combinationsEach, singleValues, type Chosen } from './choice-row.ts';
import { readMatrix } from './matrix-file.ts';
import { nameOf } from './matrix-data.ts';
import { shard } from './prove-faults.ts';

const apis: readonly Api[] = ['developer', 'workspace'];
const everywhere = (make: (api: Api) => Chosen[]): { api: Api; chosen: Chosen }[] =>
  apis.flatMap((api) => make(api).map((chosen) => ({ api, chosen })));

/** Runs every choice value of a shard, alone: a correct deployment is all green, and no more is left open than it must be. */
export function proveValues(index: number, of: number): void {
  const committed = new Map(readMatrix().choices.map((row) => [row.chosen, row]));
  describe('a choice is all green', () => {
    test.for(shard(everywhere(singleValues), index, of).map((one) => [nameOf(one.chosen), one] as const))('%s', async ([name, { api, chosen }]) => {
      const row = await choiceRow(api, chosen);
      expect(row.alarms).toEqual([]);
      expect(committed.get(name), 'reports/matrix is stale: npm run matrix').toEqual({ chosen: name, open: row.open });
    });
  });
}

/** Runs every random combination of a shard. */
export function proveCombinations(index: number, of: number): void {
  describe(`a combination of choices is all green (seed ${combinationSeed})`, () => {
    const drawn = shard(everywhere((api) => combinations(api, combinationsEach)), index, of);
    test.for(drawn.map((one, i) => [`${i * of + index} ${one.api}`, one] as const))('%s', async ([, { api, chosen }]) => {
      const { alarms } = await choiceRow(api, chosen);
      expect(alarms, nameOf(chosen)).toEqual([]);
    });
  });
}
