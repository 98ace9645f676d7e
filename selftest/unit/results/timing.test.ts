import { expect, test } from 'vitest';
import { type Budget, timingOf } from '../../../results/timing.ts';

const budget = (paced: number, perMinute: number): Budget => ({
  label: 'key',
  perMinute,
  calls: paced,
  admitted: paced,
  paced,
});

test.each([
  [0, 60, 0],
  [60, 60, 0],
  [61, 60, 60_000],
  [120, 60, 60_000],
  [121, 60, 120_000],
])('%i calls at %i a minute take at least %i ms', (paced, perMinute, least) => {
  expect(timingOf([budget(paced, perMinute)], [], 1).leastMs).toBe(least);
});

test('the budget that takes longest decides; windows that pass faster take less', () => {
  const timing = timingOf([budget(119, 60), budget(130, 60), budget(900, 1_000)], [], 60);
  expect([timing.leastMs, timing.slowest?.paced]).toEqual([2_000, 130]);
});

test('simultaneous waits for one thing count once; short ones are left out', () => {
  const waited = [
    { what: 'a', from: 0, until: 10_000 },
    { what: 'a', from: 5_000, until: 12_000 },
    { what: 'a', from: 20_000, until: 21_000 },
    { what: 'b', from: 0, until: 60_000 },
    { what: 'c', from: 0, until: 100 },
  ];
  expect(timingOf([], waited, 1)).toEqual({
    leastMs: 0,
    slowest: null,
    waits: [
      { what: 'b', ms: 60_000 },
      { what: 'a', ms: 13_000 },
    ],
  });
});
