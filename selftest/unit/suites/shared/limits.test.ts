import { expect, test } from 'vitest';
import { describeHeaders } from '../../../../limits/judge/reset.ts';
import { send } from '../../../../suites/session/session.ts';
import { foreignLimitNotes } from '../../../../suites/shared/every-response.ts';
import { headerFormats } from '../../../../suites/shared/limits/headers.ts';
import { testSession } from '../../test-session.ts';

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

test("Azure API Management's 429 is waited for, quoted, and told as another limit", async () => {
  const busy = { statusCode: 429, message: 'Rate limit is exceeded. Try again in 5 seconds.' };
  const answers = [Response.json(busy, { status: 429, headers: { 'Retry-After': '5' } }), Response.json({ data: [] })];
  const session = testSession('workspace', { serve: () => answers.shift() as Response });
  const began = session.clock.now();
  expect((await send(session, 'GET /v1/agents')).status).toBe(200);
  expect(session.clock.now() - began).toBeGreaterThan(5_000);
  expect(foreignLimitNotes(session.evidence)).toEqual([expect.stringMatching(/^1 call got a limit .*: {"statusCode"/)]);
});
