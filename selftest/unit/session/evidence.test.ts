import { expect, test } from 'vitest';
import { createEvidence, responsesOf } from '../../../suites/session/evidence.ts';
import { fakeAnswer, refused } from '../suites/fake-answer.ts';

test('calls that drive a limit do not push out what came but once', () => {
  const evidence = createEvidence(200_000);
  const add = (status: number, endpoint: string): void => {
    const { exchange } = fakeAnswer(refused(status), endpoint);
    evidence.add({ ...exchange, number: evidence.nextNumber() });
  };
  for (const endpoint of ['GET /v1/agents', 'GET /v1/leads', 'DELETE /v1/bookings/:id']) {
    for (const status of [400, 401, 403, 404]) {
      add(status, endpoint);
    }
  }
  for (let call = 0; call < 3_000; call += 1) {
    add(429, 'GET /v1/agents');
  }
  const judged = responsesOf(evidence);
  expect(judged.length).toBeLessThan(500);
  expect(judged.filter(({ response }) => response.status !== 429)).toHaveLength(12);
});
