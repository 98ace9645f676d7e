import { expect, test } from 'vitest';
import { sortsOf } from './left.ts';
import { losingAnswers, losingReads } from './lost-answers.ts';
import { runInProcess } from './run-in-process.ts';

test.each([['developer', 2], ['developer', 3], ['workspace', 2], ['workspace', 3]] as const)('%s: what was made though its answer was lost (every %i.) is found again and deleted', async (api, every) => {
  const { between, remaining } = losingAnswers(every);
  const { results, left } = await runInProcess({ api, between });
  expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  expect(sortsOf(left)).toEqual([]);
  expect(await remaining('proof7')).toBe(0);
});

test.each([['developer', 5], ['developer', 7], ['workspace', 5], ['workspace', 7]] as const)('%s: every %i. read without an answer breaks no check', async (api, every) => {
  const { results } = await runInProcess({ api, between: losingReads(every).between });
  expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
});
