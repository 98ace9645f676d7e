// Repeated bursts, on a virtual clock and network.
import { describe, expect, it } from 'vitest';
import { countBursts, judgeBursts } from '../../../../limits/judge/bursts.ts';
import type { Verdict } from '../../../../limits/judge/judge.ts';
import type { Sample } from '../../../../limits/judge/trace.ts';
import { burstSize, runBursts } from '../../../../limits/procedure/burst.ts';
import { models } from '../simulated/faulty.ts';
import { createWorld, seeded } from '../simulated/world.ts';

const minute = 60_000;
const limit = 60;

async function burst(model: string, bursts: number, seed = 5): Promise<{ verdict: Verdict; samples: Sample[] }> {
  const random = seeded(seed);
  const startAt = 1.8e12 + 10_000;
  const limiter = models[model]?.build({ limit, windowMs: minute, random });
  if (limiter === undefined) {
    throw new Error(`There is no model ${model}`);
  }
  const world = createWorld(limiter, { rtt: 20, sigma: 0.4, offset: 120 }, random, startAt);
  const samples: Sample[] = [];
  const send = async (phase: string): Promise<Sample> => {
    const sample = await world.io.send(phase);
    samples.push(sample);
    return sample;
  };
  await world.run(() => runBursts({ ...world.io, send }, { limit, windowMs: minute, bursts, startAt: startAt + 1000 }));
  return { samples, verdict: judgeBursts(samples, { limit, windowMs: minute, own: true }) };
}

describe('bursts', () => {
  it.each([
    'fixed, clock-aligned',
    'fixed, from the first call',
    'sliding log',
    'window in 6 segments',
    'Remaining filled in late',
    'Remaining before the call is counted',
    'no headers',
  ])('%s holds', async (model) => {
    const { verdict, samples } = await burst(model, 3);
    expect(verdict.perMinute).toMatchObject({ verdict: 'holds', enforced: limit });
    expect(['holds', 'not judged']).toContain(verdict.remaining.verdict);
    expect(countBursts(samples).map(({ sent, admitted }) => ({ sent, admitted }))).toEqual(
      Array(3).fill({ sent: burstSize(limit), admitted: limit }),
    );
  });

  it.each(['two counters of the whole limit', 'racy, 4 ms between check and count'])(
    '%s admits too many',
    async (model) => {
      const { verdict } = await burst(model, 4);
      expect(verdict.perMinute.verdict).toBe('more');
      expect(verdict.perMinute.says).toMatch(/of 4 bursts more than 60 calls were admitted/);
      expect(verdict.remaining.verdict).not.toBe('fails');
    },
  );

  it('Remaining that does not fall fails its clause', async () => {
    const { verdict } = await burst('Remaining stays at the limit less one', 2);
    expect(verdict.remaining.verdict).toBe('fails');
  });

  it('a limit on concurrent calls fails nothing, and per-minute can find out more', async () => {
    const { verdict } = await burst('6 at once', 3);
    expect(verdict.perMinute).toMatchObject({ verdict: 'undecided', closer: 'per-minute' });
    expect(verdict.perMinute.says).toMatch(/^Calls were refused with \d+ or more others in flight/);
    expect(verdict.remaining.verdict).not.toBe('fails');
  });

  it('fewer calls than the limit are still found', async () => {
    expect((await burst('one less, clock-aligned', 3)).verdict.perMinute.verdict).toBe('fewer');
  });

  it('a trace without bursts is undecided', () => {
    expect(judgeBursts([], { limit, windowMs: minute }).perMinute.verdict).toBe('undecided');
  });
});
