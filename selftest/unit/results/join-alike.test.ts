import { expect, test } from 'vitest';
import { joinAlike } from '../../../results/join-alike.ts';
import type { Finding } from '../../../results/verdict.ts';

const refusal = (what: string, call: string, status = 200): Finding => {
  const [method = '', path = ''] = call.split(' ');
  const got = `got ${status}, not 401`;
  return {
    message: `${what} ${got}, on ${call}`,
    request: { method, url: `https://api.test${path}` },
    response: { status, traceId: null },
    alike: { what: `${what} ${got}`, call },
  };
};
const [noKey, emptyKey] = ['A call without a key', 'A call with an empty key'];
const other: Finding = { message: 'The list is empty' };

test.for<[string, readonly Finding[], readonly string[]]>([
  [
    'one thing on several calls',
    [refusal(noKey, 'POST /b'), other, refusal(noKey, 'GET /a')],
    [`${noKey} got 200, not 401, on 2 endpoints: POST /b, GET /a`, other.message],
  ],
  [
    'another answer, or another thing',
    [refusal(noKey, 'GET /a'), refusal(noKey, 'GET /b', 500), refusal(emptyKey, 'GET /a')],
    [
      `${noKey} got 200, not 401, on GET /a`,
      `${noKey} got 500, not 401, on GET /b`,
      `${emptyKey} got 200, not 401, on GET /a`,
    ],
  ],
  [
    'one call, twice',
    [refusal(noKey, 'GET /a'), refusal(noKey, 'GET /a')],
    [`${noKey} got 200, not 401, on GET /a, 2 times`],
  ],
])('the same wrong answer is one finding: %s', ([, findings, messages]) => {
  expect(joinAlike(findings).map(({ message }) => message)).toEqual(messages);
});

test('a joined finding shows the simplest exchange, and names the calls', () => {
  const [joined] = joinAlike([refusal(noKey, 'POST /b'), refusal(noKey, 'GET /a')]);
  expect(joined).toMatchObject({ request: { method: 'GET' }, calls: ['POST /b', 'GET /a'] });
  expect(joined?.alike).toBeUndefined();
});
