// The judge and its procedure on limiters whose truth is known, over a virtual network: nothing here waits or depends on the machine.
import { describe, expect, it } from 'vitest';
import { type Case, simulate } from '../../../tools/bench/judge.ts';
import { models } from './simulated/models.ts';

const runs = async (cases: readonly Case[]): Promise<Awaited<ReturnType<typeof simulate>>[]> => {
  const results = [];
  for (const one of cases) {
    results.push(await simulate(one));
  }
  return results;
};

const seeds = (model: string, from: number, count: number, rest: Omit<Case, 'model' | 'seed'>): Case[] =>
  Array.from({ length: count }, (_, k) => ({ model, seed: from + k, ...rest }));

describe('the judge never says the wrong thing of a limiter', () => {
  it.each(Object.keys(models))('%s', async (model) => {
    const results = await runs([
      ...seeds(model, 1, 2, { limit: 60, windowMs: 60_000, rtt: 1 }),
      ...seeds(model, 11, 2, { limit: 60, windowMs: 60_000, rtt: 200 }),
      ...seeds(model, 21, 1, { limit: 120, windowMs: 60_000, rtt: 20 }),
    ]);
    expect(results.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
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
    const results = await runs([
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
