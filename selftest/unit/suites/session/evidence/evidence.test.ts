import { expect, test } from 'vitest';
import { accidentsIn, createEvidence } from '../../../../../suites/session/evidence/evidence.ts';
import { exchangeWith } from '../../../reports/sample.ts';

test('of exchanges beyond the bound, the oldest that no finding names are kept as a status alone', () => {
  const evidence = createEvidence(3);
  for (let call = 0; call < 6; call += 1) {
    const number = evidence.nextNumber();
    if (number === 2) {
      evidence.keep(number);
    }
    evidence.add(exchangeWith({ number, purpose: 'documented' }));
  }
  const bare = evidence.exchanges.flatMap(({ isBare, number, response }) =>
    isBare ? [[number, response?.status]] : [],
  );
  expect(bare).toEqual([1, 3, 4].map((number) => [number, 200]));
  expect(evidence.responses.map(({ number }) => number)).toEqual([2, 5, 6]);
});

test.for<[string, calls: string, accidents: readonly number[], unrepeated: readonly number[]]>([
  ['succeeds when it is repeated', 'GET /a 500, GET /b 200, GET /a 200', [1], []],
  ['fails twice', 'GET /a 500, GET /a 500, GET /a 200', [], []],
  ['is not repeated', 'GET /a 503, GET /a?b=1 200', [], [1]],
  ['shows less of its key later', 'GET /a?b=1&api_key=svc_test_… 500, GET /a?b=1&api_key=sv… 200', [1], []],
  ['may have changed something', 'POST /a 500, POST /a 201', [], []],
])('a call that breaks and %s', ([, calls, ...numbers]) => {
  const exchanges = calls.split(', ').map((call, index) => {
    const [method = '', url = '', status] = call.split(' ');
    const request = { method, url, headers: [], body: null };
    const response = { status: Number(status), headers: [], text: '', json: undefined };
    return exchangeWith({ number: index + 1, purpose: 'documented', request, response });
  });
  const { accidents, unrepeated } = accidentsIn(exchanges);
  expect([[...accidents], [...unrepeated]]).toEqual(numbers);
});
