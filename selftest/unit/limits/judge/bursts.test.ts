// Repeated bursts, on a virtual clock and network.
import { expect, it } from 'vitest';
import { judgeBursts } from '../../../../limits/judge/bursts.ts';
import type { Sample } from '../../../../limits/judge/trace.ts';
import { runBursts } from '../../../../limits/procedure/burst.ts';
import { limiterFor, type Model } from '../simulated/limiters.ts';
import { models } from '../simulated/models.ts';
import { createWorld, seeded } from '../simulated/world.ts';

const windowMs = 60_000;
const limit = 60;
const startAt = 1.8e12 + 10_000;

it.each<[string, number, string, RegExp, string?]>([
  ['fixed, clock-aligned', 3, 'holds', /^60 calls were admitted in a minute.* Bursts: 60, 60, 60 admitted\.$/],
  ['Remaining filled in late', 3, 'holds', /Bursts: 60, 60, 60 admitted/],
  ['racy, 4 ms between check and count', 4, 'more', /^Up to 7\d calls .* Bursts: (?:\d+, ){3}\d+/],
  ['Remaining stays at the limit less one', 2, 'holds', /Bursts: 60, 60 admitted/, 'fails'],
  ['6 at once', 3, 'undecided', /^Calls were refused with \d+ or more others in flight/],
  ['one less, clock-aligned', 3, 'fewer', /^59 calls a minute are admitted, 1 fewer than/],
])('%s, %i bursts: %s', async (model, bursts, verdict, says, remaining) => {
  const random = seeded(5);
  const limiter = limiterFor(models[model] as Model, { limit, windowMs, random, phase: 0 });
  const world = createWorld(limiter, { rtt: 20, sigma: 0.4, offset: 120 }, random, startAt);
  const samples: Sample[] = [];
  const send = async (phase: string): Promise<Sample> => {
    const sample = await world.io.send(phase);
    samples.push(sample);
    return sample;
  };
  await world.run(() => runBursts({ ...world.io, send }, { limit, windowMs, bursts, startAt: startAt + 1000 }));
  const judged = judgeBursts(samples, { limit, windowMs, own: true });
  expect(judged.perMinute).toMatchObject({ verdict, says: expect.stringMatching(says) });
  expect(judged.remaining.verdict === 'fails').toBe(remaining === 'fails');
});
