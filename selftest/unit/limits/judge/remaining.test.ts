// Remaining, judged on calls that are made anyway, so that no budget is used up.
import { describe, expect, it } from 'vitest';
import { judgeRemaining, type RemainingVerdict } from '../../../../limits/judge/remaining.ts';
import type { Sample } from '../../../../limits/judge/trace.ts';
import { models } from '../simulated/faulty.ts';
import type { SimulatedLimiter } from '../simulated/limiters.ts';
import { createWorld, seeded } from '../simulated/world.ts';

const minute = 60_000;
const limit = 120;

/** The calls of a run: a few at the same time, then some one by one, as checks make them. */
async function traffic(
  limiter: SimulatedLimiter,
  rounds: number,
  foreignAt: readonly number[] = [],
): Promise<Sample[]> {
  const random = seeded(11);
  const world = createWorld(limiter, { rtt: 30, sigma: 0.4, offset: 50, foreignAt }, random, 1.8e12 + 7000);
  return world.run(async () => {
    const samples: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) {
      samples.push(...(await Promise.all([1, 2, 3].map(() => world.io.send('run')))));
      for (let call = 0; call < 4; call += 1) {
        samples.push(await world.io.send('run'));
      }
      await world.io.sleep(1000);
    }
    return samples;
  });
}

async function judged(
  model: string,
  rounds = 6,
  terms: { own?: boolean } = { own: true },
  foreignAt?: number[],
): Promise<RemainingVerdict> {
  const limiter = models[model]?.build({ limit, windowMs: minute, random: seeded(3) });
  if (limiter === undefined) {
    throw new Error(`There is no model ${model}`);
  }
  return judgeRemaining(await traffic(limiter, rounds, foreignAt), { limit, windowMs: minute, ...terms });
}

describe('Remaining, judged on calls that the run sends anyway', () => {
  it.each([
    'fixed, clock-aligned',
    'fixed, odd phase',
    'sliding log',
    'sliding counter, exact',
    'window in 6 segments',
    'token bucket',
    'Remaining filled in late',
    'Remaining before the call is counted',
  ])('%s: holds, and over some minutes too', async (model) => {
    expect((await judged(model)).verdict).toBe('holds');
    expect((await judged(model, 100)).verdict).not.toBe('fails');
  });

  it.each(['Remaining stays at the limit', 'Remaining stays at the limit less one', 'Remaining is NaN'])(
    '%s: fails',
    async (model) => {
      expect((await judged(model)).verdict).toBe('fails');
    },
  );

  it('counting up fails on a key of the run, and is undecided on a given one', async () => {
    expect((await judged('Remaining counts up')).verdict).toBe('fails');
    expect((await judged('Remaining counts up', 6, {})).verdict).not.toBe('holds');
  });

  it('calls by others are counted and reported', async () => {
    const verdict = await judged('fixed, clock-aligned', 6, {}, [100, 700, 1900]);
    expect(verdict).toMatchObject({ verdict: 'undecided', foreignCalls: 3 });
  });

  it.each(['no headers', 'headers of the day'])('%s: not judged', async (model) => {
    expect((await judged(model)).verdict).toBe('not judged');
  });

  it('two calls are too few to decide', async () => {
    const limiter = models['fixed, clock-aligned']?.build({ limit, windowMs: minute, random: seeded(3) });
    const samples = await traffic(limiter as SimulatedLimiter, 1);
    expect(judgeRemaining(samples.slice(0, 2), { limit, windowMs: minute }).verdict).toBe('undecided');
    expect(judgeRemaining([], { limit, windowMs: minute }).verdict).toBe('not judged');
  });
});
