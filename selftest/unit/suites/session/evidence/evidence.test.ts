import { expect, test } from 'vitest';
import { resultOrNull } from '../../../../../suites/engine/check.ts';
import { createEvidence } from '../../../../../suites/session/evidence/evidence.ts';
import { send } from '../../../../../suites/session/session.ts';
import { exchangeWith } from '../../../reports/sample.ts';
import { testSession } from '../../../test-session.ts';

test.for<[string, statuses: readonly number[], env: Readonly<Record<string, string>>, isAccident: boolean]>([
  ['does not when it is sent again', [500, 200], {}, true],
  ['does so again', [500, 500], {}, false],
  ['cannot be sent again', [500], { MAX_REQUESTS: '1' }, true],
])('a read that gets a 5xx and %s', async ([, statuses, env, isAccident]) => {
  const left = [...statuses];
  const serve = (): Response => new Response('{"data": []}', { status: left.shift() ?? 404 });
  const session = testSession('workspace', { serve, env });
  await resultOrNull(send(session, 'GET /v1/agents'));
  const [first] = session.evidence.exchanges;
  expect(first && session.evidence.isAccident(first)).toBe(isAccident);
});

test('beyond a count, calls that use up a limit are kept as a status alone', () => {
  const evidence = createEvidence(2);
  for (const [index, usesUp] of [true, false, true, false].entries()) {
    evidence.add(exchangeWith({ number: index + 1, purpose: 'documented' }), usesUp);
  }
  expect(evidence.responses.map(({ number }) => number)).toEqual([1, 2, 4]);
  expect(evidence.exchanges[2]?.response).toMatchObject({ status: 200, text: '' });
});
