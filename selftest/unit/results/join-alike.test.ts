import { expect, test } from 'vitest';
import { joinAlike } from '../../../results/join-alike.ts';
import type { Finding } from '../../../results/verdict.ts';

const refusal = (what: string, call: string, status = 200): Finding => {
  const [method, path] = call.split(' ') as [string, string];
  const got = `got ${status}, not 401`;
  return {
    message: `${what} ${got}, on ${call}`,
    request: { method, url: `https://api.test${path}` },
    response: { status, traceId: null },
    alike: { what, got, call },
  };
};

test('the same wrong answer to one thing on several calls is one finding, on the simplest call', () => {
  const joined = joinAlike([refusal('A call without a key', 'POST /b'), refusal('A call without a key', 'GET /a')]);
  expect(joined).toEqual([
    {
      message: 'A call without a key got 200, not 401, on 2 endpoints: POST /b, GET /a',
      request: { method: 'GET', url: 'https://api.test/a' },
      response: { status: 200, traceId: null },
      calls: ['POST /b', 'GET /a'],
    },
  ]);
});

test('another answer, or another thing, is another finding', () => {
  const joined = joinAlike([
    refusal('A call without a key', 'GET /a'),
    refusal('A call without a key', 'GET /b', 500),
    refusal('A call with an empty key', 'GET /a'),
  ]);
  expect(joined.map(({ message }) => message)).toEqual([
    'A call without a key got 200, not 401, on GET /a',
    'A call without a key got 500, not 401, on GET /b',
    'A call with an empty key got 200, not 401, on GET /a',
  ]);
});

test('many things with the same wrong answer are one finding', () => {
  const names = ['no name', 'no scopes', 'a scope', 'LIVE', 'a number'];
  const [only, ...others] = joinAlike(names.map((name) => refusal(`A request with ${name}`, 'POST /keys', 422)));
  expect(others).toEqual([]);
  expect(only?.message).toBe(
    '5 calls got 422, not 401: a request with no name, a request with no scopes, a request with a scope, a request with LIVE and 1 more',
  );
  expect(only?.calls).toBeUndefined();
});

test('a call that was made several times is named once', () => {
  const again = refusal('A deleted key', 'GET /a');
  expect(joinAlike([again, again]).map(({ message }) => message)).toEqual([
    'A deleted key got 200, not 401, on GET /a, 2 times',
  ]);
});

test('findings of other kinds stay where they are', () => {
  const other: Finding = { message: 'The list is empty' };
  const [first, second, third] = joinAlike([refusal('A call', 'GET /a'), other, refusal('A call', 'GET /b')]);
  expect(first?.message).toBe('A call got 200, not 401, on 2 endpoints: GET /a, GET /b');
  expect([second, third]).toEqual([other, undefined]);
});
