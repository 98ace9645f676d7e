import { describe, expect, test } from 'vitest';
import type { Api } from '../../contract/clause.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import type { Verdict } from '../../suites/kit/verdict.ts';
import { faultRow } from './fault-row.ts';
import { readMatrix } from './matrix-file.ts';
import { clausesOf, runInProcess } from './run-in-process.ts';

/** Every `of`-th element, from the `index`-th on: what one test file takes of a list that several share. */
export const shard = <T>(list: readonly T[], index: number, of: number): T[] => list.filter((_, i) => i % of === index);

/** The verdicts of the plain reference. */
export async function usualVerdicts(api: Api): Promise<ReadonlyMap<string, Verdict>> {
  const { results } = await runInProcess({ api });
  return new Map(results.map(({ id, verdict }) => [id, verdict]));
}

/** Runs every fault of a shard: its clauses turn red and no others, and the committed matrix says just that. */
export function proveFaults(index: number, of: number): void {
  const committed = new Map(readMatrix().faults.map((row) => [row.id, row]));
  const usual: Partial<Record<Api, Promise<ReadonlyMap<string, Verdict>>>> = {};
  describe('a fault turns red the clauses that state what broke, and no others', () => {
    test.for(shard(faults, index, of).map(({ id }) => id))('%s', async (id) => {
      const fault = faults.find((one) => one.id === id);
      if (fault === undefined) throw new Error(`Cannot find the fault ${id}`);
      const row = await faultRow(fault, await (usual[fault.api] ??= usualVerdicts(fault.api)));
      expect({ missed: row.missed, extra: row.extra }).toEqual({ missed: [], extra: [] });
      expect(row.reds).not.toEqual([]);
      expect(committed.get(id), 'reports/matrix is stale: npm run matrix').toEqual(row);
    });
  });
}

/** Clause ids that a fault has to turn red: all but the gaps. */
export const binding = (api: Api): string[] => clausesOf(api).filter(({ level }) => level !== 'gap').map(({ id }) => id);
