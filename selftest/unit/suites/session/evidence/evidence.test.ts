import { expect, test } from 'vitest';
import type { Exchange } from '../../../../../results/exchange.ts';
import { accidentsIn } from '../../../../../suites/session/evidence/accidents.ts';
import { createEvidence } from '../../../../../suites/session/evidence/evidence.ts';
import { createOwnRecords } from '../../../../../suites/session/evidence/own-records.ts';
import { scriptOf } from '../../../../../suites/session/evidence/reproduce.ts';
import { exchangeWith } from '../../../reports/sample.ts';
import { fakeAnswer, refused } from '../../fake-answer.ts';

test('of exchanges beyond the bound, the oldest that no finding names are kept as a status alone', () => {
  const evidence = createEvidence(3);
  const { exchange } = fakeAnswer(refused(429));
  for (let call = 0; call < 6; call += 1) {
    const number = evidence.nextNumber();
    if (number === 2) {
      evidence.keep(number);
    }
    evidence.add({ ...exchange, number });
  }
  expect(evidence.exchanges.map(({ isBare, response }) => [isBare, response?.status])).toEqual(
    [true, undefined, true, true, undefined, undefined].map((isBare) => [isBare, 429]),
  );
  expect(evidence.responses.map(({ number }) => number)).toEqual([2, 5, 6]);
});

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
  expect([...accidentsIn(calls).accidents]).toEqual(numbers);
});

test('a broken read that nobody sent again is known, and one that broke twice is not among them', () => {
  const calls = exchanges(
    ['GET', '/a', 500],
    ['GET', '/b', 500],
    ['GET', '/c', 200],
    ['GET', '/b', 500],
    ['POST', '/a', 500],
  );
  expect([...accidentsIn(calls).unrepeated]).toEqual([1]);
});

test('a script may make its call many times and count the statuses', () => {
  const path = '/api/v1/platform/me';
  const request = { method: 'GET', url: `http://api.test${path}`, headers: [], body: null };
  const parts = { records: createOwnRecords([]), number: 1, clean: (text: string) => text, settleMs: 0 };
  // That the call got 429 does not matter: it uses up the limit itself.
  expect(scriptOf(request, { method: 'GET', path, key: null }, { ...parts, calls: 120, times: 121 })).toBe(
    [
      'for CALL in $(seq 121); do',
      `  curl -sS -o /dev/null -w '%{http_code}\\n' http://api.test${path}`,
      'done | sort | uniq -c',
    ].join('\n'),
  );
});
