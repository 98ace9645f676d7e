// The judge and its procedure on limiters with known behaviour, over a virtual network: nothing waits or depends on the
// machine. `npm run bench:judge` judges each thousands of times.
import { describe, expect, it } from 'vitest';
import { faultyModels } from '../unit/limits/simulated/faulty.ts';
import { type Case, type Result, simulate } from '../unit/limits/simulated/simulate.ts';
import { soundModels } from '../unit/limits/simulated/sound.ts';

const windowMs = 60_000;

async function run(cases: readonly Case[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of cases) {
    results.push(await simulate(one));
  }
  return results;
}

/** Cases of one model that differ only in their seeds. */
const seeds = (model: string, from: number, count: number, rest: Omit<Case, 'model' | 'seed'>): Case[] =>
  Array.from({ length: count }, (_, index) => ({ model, seed: from + index, ...rest }));

const mistakesOf = (results: readonly Result[]): string[] => results.flatMap(({ mistakes }) => mistakes);

/** What verdicts say that name another number of calls than the limiter's. */
const miscounted = (results: readonly Result[]): string[] =>
  results
    .filter(({ enforcedRight, verdict }) => !enforcedRight && verdict.perMinute.enforced !== null)
    .map(({ verdict }) => verdict.perMinute.says);

/** Expects that a correct limiter never fails. */
async function expectHolds(cases: readonly Case[]): Promise<void> {
  const results = await run(cases);
  expect(mistakesOf(results)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome !== 'right').map(({ verdict }) => verdict.perMinute.says)).toEqual([]);
  expect(miscounted(results)).toEqual([]);
}

/** Expects that a defect is found, and that nothing else fails. */
async function expectFound(cases: readonly Case[]): Promise<void> {
  const results = await run(cases);
  expect(mistakesOf(results)).toEqual([]);
  const atDistance = results.filter(({ rtt }) => rtt < 1000);
  expect(atDistance.flatMap(({ missed }) => missed)).toEqual([]);
  expect(atDistance.filter(({ outcome }) => outcome === 'undecided').length).toBe(0);
  expect(miscounted(atDistance)).toEqual([]);
}

/** In milliseconds, a slow one included. */
const circumstances = (model: string): Case[] => [
  ...seeds(model, 1, 1, { limit: 60, windowMs, rtt: 1 }),
  ...seeds(model, 11, 1, { limit: 60, windowMs, rtt: 200 }),
  ...seeds(model, 21, 1, { limit: 120, windowMs, rtt: 20 }),
  ...seeds(model, 31, 1, { limit: 60, windowMs, rtt: 1000 }),
];

/** With a fast clock: a window is over after a few calls in turn, so that many verdicts are rightly open. */
const shortWindows = (model: string): Case[] => seeds(model, 41, 2, { limit: 60, windowMs: 500, rtt: 150 });

describe('a limiter that follows the documents never fails', () => {
  it.each(Object.keys(soundModels))('%s', async (model) => {
    await expectHolds(circumstances(model));
    expect(mistakesOf(await run(shortWindows(model)))).toEqual([]);
  });
});

describe('a defect is found, and nothing else fails', () => {
  it.each(Object.keys(faultyModels))('%s', (model) => expectFound(circumstances(model)));
});

describe('traces that an earlier judge got wrong', () => {
  it.each([
    { model: 'sliding counter counting refusals', seed: 799, limit: 120, rtt: 20, perMinute: 'holds' },
    { model: 'a stranger uses the key', seed: 3442, limit: 120, rtt: 120, perMinute: 'undecided' },
    { model: 'writes are not limited', seed: 7577, limit: 60, rtt: 2, windowMs: 1_000, perMinute: 'more' },
  ])('$model', async ({ perMinute, ...one }) => {
    const result = await simulate({ windowMs, ...one });
    expect(result.mistakes).toEqual([]);
    expect(result.perMinute).toBe(perMinute);
  });
});
