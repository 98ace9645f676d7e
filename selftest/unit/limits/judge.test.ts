// The judge and its procedure on limiters whose truth is known, over a virtual network: nothing here waits or depends on the
// machine. Each once; in more circumstances: selftest/proof/limits.
import { describe, it } from 'vitest';
import { expectFound, expectHolds, expectToldApart, families, seeds } from './simulated/expectations.ts';
import { faultyModels } from './simulated/faulty.ts';
import { soundModels } from './simulated/sound.ts';

const minute = { limit: 60, windowMs: 60_000 };

describe('a limiter that keeps the documents never fails', () => {
  it.each(Object.keys(soundModels))('%s', (model) => expectHolds(seeds(model, 1, 1, { ...minute, rtt: 1 })));
});

describe('a defect is found, and nothing else is blamed for it', () => {
  it.each(Object.keys(faultyModels))('%s', (model) => expectFound(seeds(model, 1, 1, { ...minute, rtt: 1 })));
});

describe('a limit that is off by one is told apart', () => {
  it.each(families)('%s', (family) => expectToldApart(family, 1, { ...minute, rtt: 20 }));
});
