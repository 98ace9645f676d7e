// A limit of calls at once is no limit of the minute.
import { expect, test } from 'vitest';
import { atOnceBefore, fewestBeside } from '../../../../limits/judge/crowd.ts';
import type { Sample } from '../../../../limits/judge/trace.ts';

/** A call with the key from 0 to 30 ms. */
const sample = (parts: Partial<Sample>): Sample => ({
  ...{ sentAt: 0, receivedAt: 30, status: 200, key: 'key', phase: 'burst' },
  ...{ limit: null, remaining: null, reset: null, retryAfter: null, date: null },
  ...parts,
});

test('a call is beside those that were under way when it was decided', () => {
  const span = (sentAt: number, receivedAt: number) => ({ sentAt, receivedAt });
  const admitted = [span(0, 30), span(0, 40), span(35, 70)];
  expect(fewestBeside([span(10, 11), span(36, 38)], admitted)).toBe(2);
  expect(fewestBeside([span(10, 11), span(50, 52)], admitted)).toBe(1);
  expect(fewestBeside([span(10, 11), span(80, 81)], admitted)).toBe(0);
  expect(fewestBeside([], admitted)).toBe(0);
});

test('the drive before the last one shows how many calls at once are admitted', () => {
  const drive = (most: number, phase: string) => [
    sample({ phase: 'opener' }),
    ...Array.from({ length: 9 }, (_, call) => sample({ phase: 'burst', status: call < most ? 200 : 429 })),
    sample({ phase }),
  ];
  expect(atOnceBefore([...drive(4, 'alone'), ...drive(9, 'probe')], 'key')).toBe(4);
  expect(atOnceBefore([...drive(4, 'probe'), ...drive(9, 'probe')], 'key')).toBe(null);
  expect(atOnceBefore(drive(4, 'alone'), 'key')).toBe(null);
  expect(atOnceBefore([], 'key')).toBe(null);
});
