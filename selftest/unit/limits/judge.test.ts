// The judge and its procedure on limiters whose truth is known, over a virtual network: nothing here waits or depends on the
// machine. Each once; in more circumstances: selftest/proof/limits.
import { describe, expect, it } from 'vitest';
import { expectFound, expectHolds, expectToldApart, families, seeds } from './simulated/expectations.ts';
import { faultyModels } from './simulated/faulty.ts';
import { simulate } from './simulated/simulate.ts';
import { soundModels } from './simulated/sound.ts';

const minute = { limit: 60, windowMs: 60_000 };

describe('a limiter that keeps the documents never fails', () => {
  it.each(Object.keys(soundModels))('%s', (model) => expectHolds(seeds(model, 1, 1, { ...minute, rtt: 1 })));
});

describe('a defect is found, and nothing else is blamed for it', () => {
  it.each(Object.keys(faultyModels))('%s', (model) => expectFound(seeds(model, 1, 1, { ...minute, rtt: 1 })));
});

describe('what was once judged wrongly', () => {
  it.each([
    { model: 'after 50 calls, odd phase', seed: 3708, limit: 1000, rtt: 200, said: 'holds' },
    { model: 'sliding counter counting refusals', seed: 799, limit: 120, rtt: 20, said: 'holds' },
    { model: 'a stranger uses the key', seed: 3442, limit: 120, rtt: 120, said: 'undecided' },
    { model: 'writes are not limited', seed: 7577, limit: 60, rtt: 2, windowMs: 1_000, said: 'more' },
  ])('$model', async ({ said, ...one }) => {
    const result = await simulate({ windowMs: 60_000, ...one });
    expect(result.wrongs).toEqual([]);
    expect(result.said).toBe(said);
  });
});

describe('a limit that is off by one is told apart', () => {
  it.each(families)('%s', (family) => expectToldApart(family, 1, { ...minute, rtt: 20 }));
});
