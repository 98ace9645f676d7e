import { expect, test } from 'vitest';
import { judgeRemaining } from '../../../../../limits/judge/remaining.ts';
import type { Exchange } from '../../../../../results/exchange.ts';
import { earlierSampleOf, keyedExchanges } from '../../../../../suites/shared/limits/limit-samples.ts';

const headers = (remaining: number) =>
  [
    ['X-RateLimit-Limit', '120'],
    ['X-RateLimit-Remaining', String(remaining)],
    ['X-RateLimit-Reset', '60'],
  ] as const;

/** A call with a key of the run, at this index of its minute. */
const call = (at: number): Exchange => ({
  number: at,
  api: 'developer',
  purpose: 'documented',
  endpoint: 'GET /api/v1/ads/campaigns',
  keyLabel: 'own',
  keyValid: true,
  request: { method: 'GET', url: '/api/v1/ads/campaigns', headers: [], body: null },
  response: { status: 200, headers: headers(120 - at), text: '{}', json: {} },
  failure: null,
  sentAt: at * 10,
  receivedAt: at * 10 + 5,
  curl: () => '',
});

const withoutHeaders = (one: Exchange): Exchange => ({
  ...one,
  response: one.response && { ...one.response, headers: [] },
});

test('calls of which only the status was kept are still counted', () => {
  const calls = [1, 2, 3, 4, 5, 6].map(call);
  const exchanges = calls.map((one) => ([3, 4].includes(one.number) ? withoutHeaders(one) : one));
  const samples = keyedExchanges({ exchanges }).map((exchange) => earlierSampleOf(exchange));
  const terms = { limit: 120, windowMs: 60_000, key: 'own', own: true };
  expect(judgeRemaining(samples, terms)).toMatchObject({ verdict: 'holds' });
  const unmade = samples.filter(({ limit }) => limit !== null);
  expect(judgeRemaining(unmade, terms)).toMatchObject({ verdict: 'fails' });
});
