// The judge and its procedure on limiters with known behaviour, over a virtual network: nothing waits or depends on the
// machine. Each limiter is judged once here, and in more circumstances in selftest/proof/limits.
import { describe, expect, it } from 'vitest';
import { expectFound, expectHolds, expectToldApart, families, seeds } from '../simulated/expectations.ts';
import { faultyModels } from '../simulated/faulty.ts';
import { simulate } from '../simulated/simulate.ts';
import { soundModels } from '../simulated/sound.ts';

const minute = { limit: 60, windowMs: 60_000 };

describe('a limiter that follows the documents never fails', () => {
  it.each(Object.keys(soundModels))('%s', (model) => expectHolds(seeds(model, 1, 1, { ...minute, rtt: 1 })));
});

describe('a defect is found, and nothing else fails', () => {
  it.each(Object.keys(faultyModels))('%s', (model) => expectFound(seeds(model, 1, 1, { ...minute, rtt: 1 })));
});

describe('traces that an earlier judge got wrong', () => {
  it.each([
    { model: 'after 50 calls, odd phase', seed: 3708, limit: 1000, rtt: 200, perMinute: 'holds' },
    { model: 'sliding counter counting refusals', seed: 799, limit: 120, rtt: 20, perMinute: 'holds' },
    { model: 'a stranger uses the key', seed: 3442, limit: 120, rtt: 120, perMinute: 'undecided' },
    { model: 'writes are not limited', seed: 7577, limit: 60, rtt: 2, windowMs: 1_000, perMinute: 'more' },
  ])('$model', async ({ perMinute, ...one }) => {
    const result = await simulate({ windowMs: 60_000, ...one });
    expect(result.mistakes).toEqual([]);
    expect(result.perMinute).toBe(perMinute);
  });
});

describe('a limit that is wrong by one is recognised', () => {
  it.each(families)('%s', (family) => expectToldApart(family, 1, { ...minute, rtt: 20 }));
});
