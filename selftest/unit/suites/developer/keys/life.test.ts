import { expect, test } from 'vitest';
import { showsNoCall } from '../../../../../suites/developer/keys/life.ts';
import type { Answer } from '../../../../../suites/session/answer.ts';

const usage = (payload: unknown): Answer => ({ accepted: true, payload }) as unknown as Answer;

test('usage shows no call where all of its counts are 0', () => {
  expect(showsNoCall(usage({ days: 7, total_requests: 0, daily: [{ requests: 0 }] }))).toBe(true);
  expect(showsNoCall(usage({ days: 7, total_requests: 0, daily: [{ requests: 3 }] }))).toBe(false);
  expect(showsNoCall(usage({ days: 7, note: 'is counted at midnight' }))).toBe(false);
});
