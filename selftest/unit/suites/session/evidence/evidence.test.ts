import { expect, test } from 'vitest';
import { createEvidence } from '../../../../../suites/session/evidence/evidence.ts';
import { fakeAnswer, refused } from '../../fake-answer.ts';

test('of exchanges beyond the bound, the oldest that no finding names are kept as a status alone', () => {
  const evidence = createEvidence(3);
  const { exchange } = fakeAnswer(refused(429));
  for (let call = 0; call < 6; call += 1) {
    const number = evidence.nextNumber();
    if (number === 2) {
      evidence.keep(number);
    }
    evidence.add({ ...exchange, number });
  }
  expect(evidence.exchanges.map(({ isBare, response }) => [isBare, response?.status])).toEqual(
    [true, undefined, true, true, undefined, undefined].map((isBare) => [isBare, 429]),
  );
  expect(evidence.responses.map(({ number }) => number)).toEqual([2, 5, 6]);
});
