import { expect, test } from 'vitest';
import { world } from '../world/world.ts';
import { kindsLeft } from './fault-row.ts';
import { losingAnswers, losingFirst, losingReads, lossyRuns } from './lost-answers.ts';

test.each(lossyRuns)(
  '$api: what was made or deleted though every so many answers are lost ($every, $method) is found again and deleted, with $chosen',
  async ({ api, every, method, chosen }) => {
    const { results, left } = await world({ api, between: [losingAnswers(every, method)], choices: chosen });
    expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
    expect(kindsLeft(left)).toEqual([]);
  },
);

test.each([
  ['developer', 5],
  ['developer', 7],
  ['workspace', 5],
  ['workspace', 7],
] as const)('%s: every %i. read without an answer breaks no check', async (api, every) => {
  const { results } = await world({ api, between: [losingReads(every)] });
  expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
});

test.for(['agents', 'leads', 'bookings', 'webhooks'])(
  'if the answer to the first creation in /v1/%s is lost, few clauses stay undecided',
  async (collection) => {
    const { results, left } = await world({ api: 'workspace', between: [losingFirst(`/v1/${collection}`)] });
    expect(results.filter(({ verdict }) => ['fail', 'warn', 'broken'].includes(verdict))).toEqual([]);
    const open = results.filter(({ level, verdict }) => level === 'must' && verdict === 'inconclusive');
    expect(open.length).toBeLessThanOrEqual(3);
    expect(kindsLeft(left)).toEqual([]);
  },
);
