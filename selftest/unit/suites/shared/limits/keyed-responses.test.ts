import { expect, test } from 'vitest';
import type { Exchange } from '../../../../../results/exchange.ts';
import { keyedResponses } from '../../../../../suites/shared/limits/limit-samples.ts';

/** Exchanges with one key, one a second, by status. */
const exchanges = (...statuses: readonly number[]): Exchange[] =>
  statuses.map((status, index) => ({
    number: index + 1,
    api: 'developer',
    purpose: 'documented',
    endpoint: 'GET /api/v1/platform/me',
    keyLabel: 'key "shared" of this run',
    keyValid: true,
    request: { method: 'GET', url: 'http://reference.test/api/v1/platform/me', headers: [], body: null },
    response: { status, headers: [], text: '', json: undefined },
    failure: null,
    sentAt: index * 1000,
    receivedAt: index * 1000,
    curl: () => '',
  }));

test.for([
  ['a key that is known', [200, 429, 200, 403], [1, 2, 3, 4]],
  ['a key that is not known yet', [401, 429, 200, 429], [3, 4]],
  ['a key that is deleted while it is limited', [200, 429, 429, 401, 429], [1]],
  ['a key that is limited to the end', [200, 429, 429], [1, 2, 3]],
] as const)('%s', ([, statuses, numbers]) => {
  expect(keyedResponses({ exchanges: exchanges(...statuses) }).map(({ number }) => number)).toEqual(numbers);
});

test('what a key gets in the query says nothing of what it gets in the header', () => {
  const [known, inQuery, limited] = exchanges(200, 401, 429) as [Exchange, Exchange, Exchange];
  const all = [known, { ...inQuery, keyInQuery: true } as const, limited];
  expect(keyedResponses({ exchanges: all }).map(({ number }) => number)).toEqual([1, 3]);
});
