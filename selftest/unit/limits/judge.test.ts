// The judge and its procedure on limiters whose truth is known, over a virtual network: nothing here waits or depends on the machine.
import { describe, expect, it } from 'vitest';
import { faultyModels } from './simulated/faulty.ts';
import { type Case, type Result, simulate } from './simulated/simulate.ts';
import { soundModels } from './simulated/sound.ts';

async function run(cases: readonly Case[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of cases) {
    results.push(await simulate(one));
  }
  return results;
}

const seeds = (model: string, from: number, count: number, rest: Omit<Case, 'model' | 'seed'>): Case[] =>
  Array.from({ length: count }, (_, index) => ({ model, seed: from + index, ...rest }));

/** Limits and round trips that are met in practice, a slow one included. */
const circumstances = (model: string): Case[] => [
  ...seeds(model, 1, 2, { limit: 60, windowMs: 60_000, rtt: 1 }),
  ...seeds(model, 11, 2, { limit: 60, windowMs: 60_000, rtt: 200 }),
  ...seeds(model, 21, 1, { limit: 120, windowMs: 60_000, rtt: 20 }),
  ...seeds(model, 31, 1, { limit: 60, windowMs: 60_000, rtt: 1000 }),
];

const wrongsOf = (results: readonly Result[]): string[] => results.flatMap(({ wrongs }) => wrongs);

describe('a limiter that keeps the documents never fails', () => {
  it.each(Object.keys(soundModels))('%s', async (model) => {
    const results = await run(circumstances(model));
    expect(wrongsOf(results)).toEqual([]);
    expect(results.filter(({ outcome }) => outcome !== 'right').map(({ verdict }) => verdict.perMinute.says)).toEqual(
      [],
    );
  });
});

describe('a defect is found, and nothing else is blamed for it', () => {
  it.each(Object.keys(faultyModels))('%s', async (model) => {
    const results = await run(circumstances(model));
    expect(wrongsOf(results)).toEqual([]);
    const atDistance = results.filter(({ rtt }) => rtt < 1000);
    expect(atDistance.flatMap(({ missed }) => missed)).toEqual([]);
    expect(atDistance.filter(({ outcome }) => outcome === 'undecided').length).toBe(0);
  });
});

describe('what was once judged wrongly', () => {
  it.each([
    { model: 'after 50 calls, odd phase', seed: 3708, limit: 1000, rtt: 200, said: 'holds' },
    { model: 'sliding counter counting refusals', seed: 799, limit: 120, rtt: 20, said: 'holds' },
    { model: 'a stranger uses the key', seed: 3442, limit: 120, rtt: 120, said: 'undecided' },
  ])('$model', async ({ said, ...one }) => {
    const result = await simulate({ ...one, windowMs: 60_000 });
    expect(result.wrongs).toEqual([]);
    expect(result.said).toBe(said);
  });
});

describe('a limit that is off by one is told apart every time', () => {
  const families = ['clock-aligned', 'from the first call', 'odd phase', 'sliding log'];
  const sound = (family: string): string => (family === 'sliding log' ? family : `fixed, ${family}`);
  it.each(
    [60, 120].flatMap((limit) => [1, 20, 200].flatMap((rtt) => families.map((family) => ({ limit, rtt, family })))),
  )('$family, $limit, round trips of $rtt ms', async ({ limit, rtt, family }) => {
    const rest = { limit, windowMs: 60_000, rtt };
    const each = limit === 60 ? 4 : 2;
    const results = await run([
      ...seeds(sound(family), 1, each, rest),
      ...seeds(`one less, ${family}`, 1, each, rest),
      ...seeds(`one more, ${family}`, 1, each, rest),
    ]);
    expect(results.map(({ said }) => said)).toEqual([
      ...Array(each).fill('holds'),
      ...Array(each).fill('fewer'),
      ...Array(each).fill('more'),
    ]);
    expect(results.filter(({ enforcedRight }) => !enforcedRight)).toEqual([]);
  });
});
