// The judge and its procedure, as in selftest/unit/limits/judge/judge.test.ts, with realistic limits and round trips.
import { describe, it } from 'vitest';
import { expectFound, expectHolds, expectToldApart, families, seeds } from '../unit/limits/simulated/expectations.ts';
import { faultyModels } from '../unit/limits/simulated/faulty.ts';
import type { Case } from '../unit/limits/simulated/simulate.ts';
import { soundModels } from '../unit/limits/simulated/sound.ts';

const windowMs = 60_000;

/** In milliseconds, a slow one included. */
const circumstances = (model: string): Case[] => [
  ...seeds(model, 1, 2, { limit: 60, windowMs, rtt: 1 }),
  ...seeds(model, 11, 2, { limit: 60, windowMs, rtt: 200 }),
  ...seeds(model, 21, 1, { limit: 120, windowMs, rtt: 20 }),
  ...seeds(model, 31, 1, { limit: 60, windowMs, rtt: 1000 }),
];

describe('a limiter that follows the documents never fails', () => {
  it.each(Object.keys(soundModels))('%s', (model) => expectHolds(circumstances(model)));
});

describe('a defect is found, and nothing else fails', () => {
  it.each(Object.keys(faultyModels))('%s', (model) => expectFound(circumstances(model)));
});

describe('a limit that is wrong by one is recognised every time', () => {
  it.each(
    [60, 120].flatMap((limit) => [1, 20, 200].flatMap((rtt) => families.map((family) => ({ limit, rtt, family })))),
  )('$family, $limit, round trips of $rtt ms', ({ limit, rtt, family }) =>
    expectToldApart(family, limit === 60 ? 4 : 2, { limit, windowMs, rtt }),
  );
});
