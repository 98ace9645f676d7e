import { expect, test } from 'vitest';
import { createEvidence, responsesOf } from '../../../../../suites/session/evidence/evidence.ts';
import { fakeAnswer, refused } from '../../fake-answer.ts';

test('calls over a limit do not displace exchanges that occurred only once', () => {
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
  const { exchange } = fakeAnswer(refused(429));
  expect(evidence.wasNearlyFull).toBe(false);
  for (let call = 0; call < 3_000; call += 1) {
    evidence.add({ ...exchange, number: evidence.nextNumber() });
  }
  expect(evidence.wasNearlyFull).toBe(true);
  const judged = responsesOf(evidence);
  expect(judged.length).toBeLessThan(500);
  expect(judged.filter(({ response }) => response.status !== 429)).toHaveLength(12);
});

test('an exchange that takes a quarter of the memory by itself is kept as an outline', () => {
  const evidence = createEvidence(200_000);
  for (const rows of [10, 3_000]) {
    const json = { success: true, data: Array.from({ length: rows }, (_, id) => ({ id, name: `record ${id}` })) };
    const { exchange } = fakeAnswer({ status: 200, json });
    evidence.add({ ...exchange, number: evidence.nextNumber() });
  }
  expect(evidence.exchanges.map(({ condensed }) => condensed)).toEqual([undefined, 'outline']);
  expect(responsesOf(evidence)[1]?.response.json).toMatchObject({ data: [{ id: 0 }, { id: 1 }, { id: 2 }] });
});
