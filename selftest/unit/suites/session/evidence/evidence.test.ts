import { expect, test } from 'vitest';
import { accidentsIn } from '../../../../../suites/session/evidence/evidence.ts';
import { exchangeWith } from '../../../reports/sample.ts';

test.for<[string, calls: string, accidents: readonly number[], ifBounded: readonly number[]]>([
  ['succeeds when it is repeated', 'GET /a 500, GET /b 200, GET /a 200', [1], [1]],
  ['fails twice', 'GET /a 500, GET /a 500, GET /a 200', [], []],
  ['is not repeated', 'GET /a 503, GET /a?b=1 200', [], [1]],
  ['shows less of its key later', 'GET /a?b=1&api_key=svc_test_… 500, GET /a?b=1&api_key=sv… 200', [1], [1]],
  ['may have changed something', 'POST /a 500, POST /a 201', [], []],
])('a call that breaks and %s', ([, calls, ...numbers]) => {
  const exchanges = calls.split(', ').map((call, index) => {
    const [method = '', url = '', status] = call.split(' ');
    const request = { method, url, headers: [], body: null };
    const response = { status: Number(status), headers: [], text: '', json: undefined };
    return exchangeWith({ number: index + 1, purpose: 'documented', request, response });
  });
  const accidents = [false, true].map((isBounded) => [...accidentsIn(exchanges, undefined, isBounded)]);
  expect(accidents).toEqual(numbers);
});
