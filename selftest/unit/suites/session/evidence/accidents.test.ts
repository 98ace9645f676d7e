import { expect, test } from 'vitest';
import type { Exchange } from '../../../../../results/exchange.ts';
import { accidentsIn, brokenAndNotRepeated } from '../../../../../suites/session/evidence/accidents.ts';
import { exchangeWith } from '../../../reports/sample.ts';

/** Exchanges of one key, by method, URL and status. */
const exchanges = (...calls: readonly (readonly [method: string, url: string, status: number])[]): Exchange[] =>
  calls.map(([method, url, status], index) => {
    const request = { method, url, headers: [], body: null };
    const response = { status, headers: [], text: '', json: undefined };
    return exchangeWith({ number: index + 1, purpose: 'documented', request, response });
  });

test.for([
  [
    'a read that succeeds when it is repeated',
    exchanges(['GET', '/a', 500], ['GET', '/b', 200], ['GET', '/a', 200]),
    [1],
  ],
  ['a read that fails twice', exchanges(['GET', '/a', 500], ['GET', '/a', 500], ['GET', '/a', 200]), []],
  ['a read that was not repeated', exchanges(['GET', '/a', 503], ['GET', '/a?b=1', 200]), []],
  [
    'a read whose URL shows less of the key later',
    exchanges(['GET', '/a?b=1&api_key=svc_test_…', 500], ['GET', '/a?b=1&api_key=sv…', 200]),
    [1],
  ],
  ['a write', exchanges(['POST', '/a', 500], ['POST', '/a', 201]), []],
] as const)('%s', ([, calls, numbers]) => {
  expect([...accidentsIn(calls)]).toEqual(numbers);
});

test('a broken read that nobody sent again is known, and one that broke twice is not among them', () => {
  const calls = exchanges(
    ['GET', '/a', 500],
    ['GET', '/b', 500],
    ['GET', '/c', 200],
    ['GET', '/b', 500],
    ['POST', '/a', 500],
  );
  expect([...brokenAndNotRepeated(calls)]).toEqual([1]);
});
