import { expect, test } from 'vitest';
import { type Budget, timingOf } from '../../../results/timing.ts';

const budget = (paced: number, perMinute = 60): Budget => ({
  label: 'key',
  perMinute,
  calls: paced,
  admitted: paced,
  paced,
});

test.each([
  [[60], 1, 0],
  [[119, 130], 60, 2_000],
])('the budget of most minutes decides: %j calls at speed %i take at least %i ms', (calls, speed, least) => {
  const timing = timingOf([budget(900, 1_000), ...calls.map((paced) => budget(paced))], [], speed);
  expect([timing.leastMs, timing.slowest?.paced]).toEqual([least, least === 0 ? undefined : calls.at(-1)]);
});

test('simultaneous waits for one thing count once; short ones are left out', () => {
  const waits = { a: [0, 10_000], b: [0, 60_000], c: [0, 100] };
  const waited = [...Object.entries(waits), ['a', [5_000, 12_000]] as const, ['a', [20_000, 21_000]] as const];
  expect(
    timingOf(
      [],
      waited.map(([what, [from = 0, until = 0]]) => ({ what, from, until })),
      1,
    ).waits,
  ).toEqual([
    { what: 'b', ms: 60_000 },
    { what: 'a', ms: 13_000 },
  ]);
});
