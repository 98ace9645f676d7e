import { expect, test } from 'vitest';
import { judgeRemaining } from '../../../../limits/judge/remaining.ts';
import { describeHeaders } from '../../../../limits/judge/reset.ts';
import type { Exchange, HeaderLines } from '../../../../results/exchange.ts';
import { exchangeSample, keyedExchanges } from '../../../../suites/shared/limits/drive.ts';
import { headerFormats } from '../../../../suites/shared/limits/headers.ts';
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

test('calls of which only the status was kept are still counted', () => {
  const headers = (left: number): HeaderLines =>
    Object.entries({ Limit: '120', Remaining: String(left), Reset: '60' }).map(([name, value]) => [
      `X-RateLimit-${name}`,
      value,
    ]);
  const exchanges = [1, 2, 3, 4, 5, 6].map((at) => call(at, 200, at === 3 || at === 4 ? [] : headers(120 - at)));
  const samples = keyedExchanges({ exchanges }).map((exchange) => exchangeSample(exchange, 'before'));
  const terms = { limit: 120, windowMs: 60_000, key: 'own', own: true };
  const unmade = samples.filter(({ limit }) => limit !== null);
  expect([samples, unmade].map((all) => judgeRemaining(all, terms).verdict)).toEqual(['holds', 'fails']);
});

test.each([
  ['RFC 9110, 10.2.3: Retry-After is a date', 'Sun, 29 Nov 2026 12:21:27 GMT', 'Tue, 01 Dec 2026 09:00:00 GMT'],
  ["slowapi: Reset is what Python's time.time() gives", '1795955011.1234', '1795955090.7654321'],
])('the form of a header is the same in each run: %s', (_, first, later) => {
  const formsOf = (text: string): unknown => {
    const headers = { ...describeHeaders([], 60_000), reset: text, retryAfter: text };
    return { ...headerFormats(headers, [{ status: 429 }]), measured: null };
  };
  expect(formsOf(later)).toEqual(formsOf(first));
});
