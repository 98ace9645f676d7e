// The judge and its procedure on limiters with known behaviour, over a virtual network: nothing waits or depends on the
// machine. `npm run bench:judge` judges each thousands of times.
import { describe, expect, it } from 'vitest';
import { expectFound, expectHolds, expectToldApart, families, seeds } from '../unit/limits/simulated/expectations.ts';
import { faultyModels } from '../unit/limits/simulated/faulty.ts';
import { type Case, simulate } from '../unit/limits/simulated/simulate.ts';
import { soundModels } from '../unit/limits/simulated/sound.ts';

const windowMs = 60_000;

/** In milliseconds, a slow one included. */
const circumstances = (model: string): Case[] => [
  ...seeds(model, 1, 1, { limit: 60, windowMs, rtt: 1 }),
  ...seeds(model, 11, 1, { limit: 60, windowMs, rtt: 200 }),
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
    expectToldApart(family, limit === 60 ? 2 : 1, { limit, windowMs, rtt }),
  );
});

describe('traces that an earlier judge got wrong', () => {
  it.each([
    { model: 'sliding counter counting refusals', seed: 799, limit: 120, rtt: 20, perMinute: 'holds' },
    { model: 'a stranger uses the key', seed: 3442, limit: 120, rtt: 120, perMinute: 'undecided' },
    { model: 'writes are not limited', seed: 7577, limit: 60, rtt: 2, windowMs: 1_000, perMinute: 'more' },
  ])('$model', async ({ perMinute, ...one }) => {
    const result = await simulate({ windowMs, ...one });
    expect(result.mistakes).toEqual([]);
    expect(result.perMinute).toBe(perMinute);
  });
});
