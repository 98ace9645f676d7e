import { expect, test } from 'vitest';
import type { Answer } from '../../../../../suites/session/answer.ts';
import { pauseAskedFor } from '../../../../../suites/session/pace/limited.ts';

const answerWith = (headers: Readonly<Record<string, string>>): Answer =>
  ({ header: (name: string) => headers[name] ?? null }) as Answer;
const minute = 61_220;

test.each<[headers: Readonly<Record<string, string>>, windowMs: number, ms: number | null]>([
  [{}, minute, null],
  [{ 'Retry-After': '7' }, minute, 7_160],
  [{ 'Retry-After': '300' }, minute, minute * 1.02 + 20],
  [{ 'Retry-After': '21600' }, minute, Infinity],
  [{ 'Retry-After': '3600' }, 1_040, 1_040 * 1.02 + 20],
  [{ 'Retry-After': '1773480000' }, minute, null],
  [{ 'Retry-After': 'Sun, 15 Mar 2026 00:00:00 GMT', Date: 'Sat, 14 Mar 2026 09:00:00 GMT' }, minute, Infinity],
  [{ 'Retry-After': 'Sat, 14 Mar 2026 09:00:30 GMT', Date: 'Sat, 14 Mar 2026 09:00:00 GMT' }, minute, null],
  [{ 'Retry-After': 'Sun, 15 Mar 2026 00:00:00 GMT' }, minute, null],
])('%j in windows of %i ms', (headers, windowMs, ms) => {
  expect(pauseAskedFor(answerWith(headers), windowMs)).toBe(ms);
});
