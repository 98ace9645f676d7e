import { expect } from 'vitest';
import { type Case, type Result, simulate } from './simulate.ts';

async function run(cases: readonly Case[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of cases) {
    results.push(await simulate(one));
  }
  return results;
}

/** Cases of one model that differ only in their seeds. */
export const seeds = (model: string, from: number, count: number, rest: Omit<Case, 'model' | 'seed'>): Case[] =>
  Array.from({ length: count }, (_, index) => ({ model, seed: from + index, ...rest }));

const mistakesOf = (results: readonly Result[]): string[] => results.flatMap(({ mistakes }) => mistakes);

/** Expects that a correct limiter never fails. */
export async function expectHolds(cases: readonly Case[]): Promise<void> {
  const results = await run(cases);
  expect(mistakesOf(results)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome !== 'right').map(({ verdict }) => verdict.perMinute.says)).toEqual([]);
}

/** Expects that a defect is found, and that nothing else fails. */
export async function expectFound(cases: readonly Case[]): Promise<void> {
  const results = await run(cases);
  expect(mistakesOf(results)).toEqual([]);
  const atDistance = results.filter(({ rtt }) => rtt < 1000);
  expect(atDistance.flatMap(({ missed }) => missed)).toEqual([]);
  expect(atDistance.filter(({ outcome }) => outcome === 'undecided').length).toBe(0);
}

/** Limiters of one kind, with the right limit or one that is wrong by one call. */
export const families = ['clock-aligned', 'from the first call', 'odd phase', 'sliding log'] as const;

/** Expects that a limit that is wrong by one call is recognised with `each` seeds. */
export async function expectToldApart(
  family: (typeof families)[number],
  each: number,
  rest: Omit<Case, 'model' | 'seed'>,
): Promise<void> {
  const sound = family === 'sliding log' ? family : `fixed, ${family}`;
  const results = await run(
    [sound, `one less, ${family}`, `one more, ${family}`].flatMap((model) => seeds(model, 1, each, rest)),
  );
  expect(results.map(({ perMinute }) => perMinute)).toEqual([
    ...Array(each).fill('holds'),
    ...Array(each).fill('fewer'),
    ...Array(each).fill('more'),
  ]);
  expect(results.filter(({ enforcedRight }) => !enforcedRight)).toEqual([]);
}
