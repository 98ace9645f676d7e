import { expect, test } from 'vitest';
import { sortsOf } from './left.ts';
import { losingAnswers } from './lost-answers.ts';
import { runInProcess } from './run-in-process.ts';

const lost = [['developer', 2, 'POST'], ['developer', 3, 'POST'], ['workspace', 2, 'POST'], ['workspace', 3, 'POST'], ['workspace', 3, 'DELETE']] as const;

test.each(lost)('%s: what was made or deleted though its answer was lost (every %i. %s) is found again and deleted', async (api, every, method) => {
  const { between, remaining } = losingAnswers(every, method);
  const { results, left } = await runInProcess({ api, between });
  expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  expect(sortsOf(left)).toEqual([]);
  expect(await remaining('proof7')).toBe(0);
});
