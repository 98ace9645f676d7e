import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { bytesHeldBy } from '../unit/bytes-held.ts';
import { fakeAnswer, fakeRecording } from '../unit/suites/fake-answer.ts';

/**
 * The content of an answer, how many such answers steps keep for the whole run, and the megabytes that they may take
 * together.
 */
test.for<readonly [string, () => unknown, number, number]>([
  ['texts of 200,000 characters', () => randomBytes(100_000).toString('hex'), 120, 40],
  ['lists of 1,200 empty objects', () => Array.from({ length: 1_200 }, () => ({})), 500, 33],
])('%s are kept compressed', async ([, value, times, most]) => {
  const recording = fakeRecording();
  const remember = (): unknown[] =>
    Array.from({ length: times }, () =>
      fakeAnswer({ status: 200, json: { id: 'a', v: value() } }, undefined, { recording }),
    );
  expect(await bytesHeldBy(remember)).toBeLessThan(most * 1_000_000);
});
