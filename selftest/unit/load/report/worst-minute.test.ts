import { expect, test } from 'vitest';
import type { Sample } from '../../../../limits/judge/trace.ts';
import { worstMinute } from '../../../../load/report/worst-minute.ts';

const at = (sentAt: number, status = 200, key = 'A'): Sample => ({
  sentAt,
  receivedAt: sentAt + 5,
  status,
  key,
  phase: 'fill',
  limit: null,
  remaining: null,
  reset: null,
  retryAfter: null,
  date: null,
});

test('counts the admitted calls in the fullest minute, whenever it begins', () => {
  const samples = [
    at(0),
    at(50_000),
    at(55_000),
    at(61_000),
    at(62_000, 429),
    at(63_000, 0),
    at(64_000, 200, 'unknown'),
    at(109_999),
    at(110_000),
  ];
  expect(worstMinute(samples, 1)).toEqual({ admitted: 4, from: 50_000 });
  expect(worstMinute(samples, 60)).toEqual({ admitted: 2, from: 109_999 });
});

test('there is none without an admitted call', () => {
  expect(worstMinute([at(0, 429)], 1)).toBe(null);
  expect(worstMinute([], 1)).toBe(null);
});
