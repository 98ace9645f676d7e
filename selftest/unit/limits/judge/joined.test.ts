import { expect, test } from 'vitest';
import { joined } from '../../../../limits/judge/minute-verdicts.ts';

test('ranges of a family that overlap or touch are reported as one', () => {
  const [grid, log] = ['grid', 'log'] as const;
  expect(
    joined([
      { family: grid, low: 120, high: 120 },
      { family: grid, low: 61, high: 100 },
      { family: log, low: 90, high: 121 },
      { family: grid, low: 101, high: 121 },
      { family: grid, low: 130, high: 140 },
      { family: grid, low: 66, high: 70 },
    ]),
  ).toEqual([
    { family: grid, low: 61, high: 121 },
    { family: log, low: 90, high: 121 },
    { family: grid, low: 130, high: 140 },
  ]);
});
