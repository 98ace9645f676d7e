import { expect, test } from 'vitest';
import { TransportFailure } from '../../../../common/transport-failure.ts';
import { resultOrNull } from '../../../../suites/engine/check.ts';
import { findGone, withoutUnanswered } from '../../../../suites/run/gone.ts';
import { send } from '../../../../suites/session/session.ts';
import { type Outcome, resultsOf } from '../../reports/sample.ts';
import { testSession } from '../../test-session.ts';

const [agents, leads, bookings] = ['GET /v1/agents', 'GET /v1/leads', 'GET /v1/bookings'] as const;
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

test.each([
  ['answers what cannot be read', /stopped answering during the run \(.+\): r/, [agents], deep, 200],
  // A proxy in front of it.
  ['answers with 502', /stopped answering during the run \(502 to everything\): r/, [agents], '<h1>Bad</h1>', 502],
  ['answers with 521, as Cloudflare does', /\(521 to everything\): r/, [agents], 'error code: 521', 521],
  [
    'answers 429 to every call',
    /429 to every call .*\(429 outside .*: {}\): run/,
    [agents, leads, bookings],
    '{}',
    429,
  ],
  ['answers 429 to the calls of one endpoint', null, [leads], '{}', 429],
  ['refuses its key', /^WORKSPACE_API_KEY was refused with 401 from call 4 on, and was/, [agents], '{}', 401],
] as const)('whether a target that %s from some moment on is gone: %s', async (_, says, asked, later, status) => {
  const first = [new Response('{"data": []}')];
  const session = testSession('workspace', { serve: () => first.shift() ?? new Response(later, { status }) });
  await send(session, agents);
  expect(await findGone(session, 'WORKSPACE_API_URL')).toBe(null);
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(asked.map((endpoint) => resultOrNull(send(session, endpoint))));
  }
  expect((await findGone(session, 'WORKSPACE_API_URL'))?.text ?? '').toMatch(says ?? /^$/);
});

test('where calls with bad keys were the last that were answered, a ban is told as what may have to be lifted', async () => {
  const answers = [200, 401, 401, 401, 401, 401].map((status) => new Response('{"data": []}', { status }));
  const down = (): Promise<Response> => Promise.reject(new TransportFailure('refused', 'Connection refused'));
  const session = testSession('workspace', { serve: () => answers.shift() ?? down() });
  await send(session, agents);
  for (let round = 0; round < 7; round += 1) {
    await resultOrNull(send(session, agents, { key: null, purpose: 'refusal' }));
  }
  expect((await findGone(session, 'WORKSPACE_API_URL'))?.text).toMatch(/\(Connection refused\): lift the ban/);
});

test('a clause is undecided then if it fails by calls that the target no longer answered, and by no others', () => {
  const failing = (...exchanges: number[]): Outcome => ({
    verdict: 'fail',
    findings: exchanges.map((exchange) => ({ message: 'x', exchange })),
  });
  const results = resultsOf({ 'workspace.agents.list': failing(7, 8), 'workspace.leads.list': failing(7, 6) });
  const later = withoutUnanswered({ text: 'It is gone', unanswered: new Set([7, 8]) }, results);
  const changed = later.filter((one, at) => one !== results[at]);
  expect(changed).toMatchObject([{ id: 'workspace.agents.list', verdict: 'inconclusive' }]);
  expect(changed[0]?.findings.map(({ cause }) => cause)).toEqual(['It is gone', 'It is gone']);
});
