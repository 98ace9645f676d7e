import { expect, test } from 'vitest';
import { judgeRemaining } from '../../../../limits/judge/remaining.ts';
import { describeHeaders } from '../../../../limits/judge/reset.ts';
import type { Exchange, HeaderLines } from '../../../../results/exchange.ts';
import { headerFormats } from '../../../../suites/shared/limits/headers.ts';
import { earlierSampleOf, keyedExchanges, keyedResponses } from '../../../../suites/shared/limits/limit-samples.ts';
import { exchangeWith } from '../../reports/sample.ts';

/** Calls with one key. */
const call = (number: number, status: number, headers: HeaderLines = []): Exchange => {
  const response = { status, headers, text: '{}', json: {} };
  return exchangeWith({
    number,
    keyLabel: 'own',
    keyValid: true,
    response,
    sentAt: number * 10,
    receivedAt: number * 11,
  });
};

test.for<[string, statuses: readonly number[], inQuery: number, counted: readonly number[]]>([
  ['a key that is not known yet', [401, 429, 200, 403], 0, [3, 4]],
  ['a key that is deleted while it is limited', [200, 429, 429, 401, 429], 0, [1]],
  ['a key that is limited to the end', [200, 429, 429], 0, [1, 2, 3]],
  ['a key that is not known in the query', [200, 401, 429], 2, [1, 3]],
])('whose headers count: %s', ([, statuses, inQuery, counted]) => {
  const exchanges = statuses.map((status, index) =>
    index + 1 === inQuery ? { ...call(index + 1, status), keyInQuery: true as const } : call(index + 1, status),
  );
  expect(keyedResponses({ exchanges }).map(({ number }) => number)).toEqual(counted);
});

test('calls of which only the status was kept are still counted', () => {
  const headers = (left: number): HeaderLines =>
    Object.entries({ Limit: '120', Remaining: String(left), Reset: '60' }).map(([name, value]) => [
      `X-RateLimit-${name}`,
      value,
    ]);
  const exchanges = [1, 2, 3, 4, 5, 6].map((at) => call(at, 200, at === 3 || at === 4 ? [] : headers(120 - at)));
  const samples = keyedExchanges({ exchanges }).map((exchange) => earlierSampleOf(exchange));
  const terms = { limit: 120, windowMs: 60_000, key: 'own', own: true };
  const unmade = samples.filter(({ limit }) => limit !== null);
  expect([samples, unmade].map((all) => judgeRemaining(all, terms).verdict)).toEqual(['holds', 'fails']);
});

test.each([
  ['RFC 9110, 10.2.3: Retry-After is a date', 'Sun, 29 Nov 2026 12:21:27 GMT', 'Tue, 01 Dec 2026 09:00:00 GMT'],
  ["slowapi: Reset is what Python's time.time() gives", '1795955011.1234', '1795955090.7654321'],
])('the form of a header is the same in each run: %s', (_, first, later) => {
  const formsOf = (text: string): unknown => {
    const shown = { ...describeHeaders([], 60_000), reset: text, retryAfter: text };
    return { ...headerFormats(shown, true), measured: null };
  };
  expect(formsOf(later)).toEqual(formsOf(first));
});
