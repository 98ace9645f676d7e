import { expect, test } from 'vitest';
import { world } from '../world/world.ts';
import { perDayClause } from './day-in-process.ts';
import { unusualRuns } from './unusual-runs.ts';

test.each(Object.entries(unusualRuns))('%s', async (_, { judges, verdicts = {}, wants, ...plan }) => {
  const { results, left, leaks, harm } = await world(plan);
  const others = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  expect(results.length - others.length).toBeGreaterThanOrEqual(judges);

  const named = Object.fromEntries(Object.entries(verdicts).map(([id, verdict]) => [`${plan.api}.${id}`, verdict]));
  const open = others.filter(({ id, verdict }) => id in named || (verdict !== 'skip' && verdict !== 'inconclusive'));
  expect(Object.fromEntries(open.map(({ id, verdict }) => [id, verdict]))).toEqual(named);

  const skipped = others.filter(({ id, verdict }) => verdict === 'skip' && id !== perDayClause(plan.api));
  const says = (result: (typeof skipped)[number]): string => JSON.stringify(result.findings);
  expect(skipped.filter((result) => wants === undefined || !wants.test(says(result))).map(says)).toEqual([]);
  expect({ left, leaks, harm }).toEqual({ left: [], leaks: [], harm: [] });
});
