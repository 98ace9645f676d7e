import { expect, test } from 'vitest';
import { describeHeaders } from '../../../../limits/judge/reset.ts';
import { headerFormats } from '../../../../suites/shared/limits/headers.ts';

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
