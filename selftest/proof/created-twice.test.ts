import { expect, test } from 'vitest';
import { world } from '../world/world.ts';
import { creatingTwice, limitingTooLate } from './between.ts';

const cases = (['developer', 'workspace'] as const).flatMap((api) => [1, 2, 3].map((every) => [api, every] as const));

// A gateway sends a call again when its answer is slow: what the first of the two made is deleted, or named at least.
test.each(cases)('%s: where each %i. create is sent twice, nothing stays unnamed', async (api, every) => {
  const { harm, left, results } = await world({ api, between: [creatingTwice(every)] });
  expect(left).toEqual([]);
  expect(harm).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
});

// The create is sent again after the 429.
test.each(cases)('%s: where each %i. create is made and gets 429, nothing stays unnamed', async (api, every) => {
  const { harm, left, results } = await world({ api, between: [limitingTooLate(every + 1)] });
  expect(left).toEqual([]);
  expect(harm).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
});
