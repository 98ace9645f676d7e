import { expect, test } from 'vitest';
import { judgeRemaining } from '../../../../limits/judge/remaining.ts';
import type { Exchange, HeaderLines } from '../../../../results/exchange.ts';
import { earlierSampleOf, keyedExchanges, keyedResponses } from '../../../../suites/shared/limits/limit-samples.ts';
import { exchangeWith } from '../../reports/sample.ts';

/** Calls with one key. */
const call = (number: number, status: number, headers: HeaderLines = []): Exchange => {
  const at = { sentAt: number * 10, receivedAt: number * 10 + 5 };
  const response = { status, headers, text: '{}', json: {} };
  return exchangeWith({ number, keyLabel: 'own', keyValid: true, response, ...at });
};
const calls = (...statuses: readonly number[]): Exchange[] => statuses.map((status, index) => call(index + 1, status));

test.for([
  ['a key that is known', [200, 429, 200, 403], [1, 2, 3, 4]],
  ['a key that is not known yet', [401, 429, 200, 429], [3, 4]],
  ['a key that is deleted while it is limited', [200, 429, 429, 401, 429], [1]],
  ['a key that is limited to the end', [200, 429, 429], [1, 2, 3]],
] as const)('%s', ([, statuses, numbers]) => {
  expect(keyedResponses({ exchanges: calls(...statuses) }).map(({ number }) => number)).toEqual(numbers);
});

test('what a key gets in the query says nothing of what it gets in the header', () => {
  const exchanges = calls(200, 401, 429).map((one) => (one.number === 2 ? { ...one, keyInQuery: true as const } : one));
  expect(keyedResponses({ exchanges }).map(({ number }) => number)).toEqual([1, 3]);
});

test('calls of which only the status was kept are still counted', () => {
  const exchanges = [1, 2, 3, 4, 5, 6].map((at) =>
    call(
      at,
      200,
      [
        ['X-RateLimit-Limit', '120'],
        ['X-RateLimit-Remaining', String(120 - at)],
        ['X-RateLimit-Reset', '60'],
      ].slice([3, 4].includes(at) ? 3 : 0) as [string, string][],
    ),
  );
  const samples = keyedExchanges({ exchanges }).map((exchange) => earlierSampleOf(exchange));
  const terms = { limit: 120, windowMs: 60_000, key: 'own', own: true };
  expect(judgeRemaining(samples, terms)).toMatchObject({ verdict: 'holds' });
  const unmade = samples.filter(({ limit }) => limit !== null);
  expect(judgeRemaining(unmade, terms)).toMatchObject({ verdict: 'fails' });
});
