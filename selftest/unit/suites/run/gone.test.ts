import { expect, test } from 'vitest';
import { resultOrNull } from '../../../../suites/engine/parts.ts';
import { findGone } from '../../../../suites/run/gone.ts';
import { send } from '../../../../suites/session/send.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../test-session.ts';

test.each([
  ['still answers', null, '{"data": []}', 200],
  ['answers with what cannot be read', /stopped answering during the run \(.+\): restart it/, '['.repeat(100_000), 200],
  // A proxy in front of it.
  [
    'answers with 502',
    /stopped answering during the run \(502 to everything\): restart it/,
    '<h1>Bad gateway</h1>',
    502,
  ],
] as const)('a target that %s from some moment on is gone: %s', async (_, says, later, status) => {
  const first = [new Response('{"data": []}')];
  const transport = handlerTransport(() => first.shift() ?? new Response(later, { status }));
  const session = testSession('workspace', { transport });
  const [probe = ''] = session.api.probes;
  for (let call = 0; call < 4; call += 1) {
    await send(session, probe);
  }
  const gone = await findGone(session, 'WORKSPACE_API_URL');
  expect(gone?.text ?? '').toMatch(says ?? /^$/);
});

test.each([
  ['every call', ['GET /v1/agents', 'GET /v1/leads', 'GET /v1/bookings'], true],
  ['the calls of one endpoint alone', ['GET /v1/leads'], false],
])('whether a target that answers 429 for minutes is closed: to %s', async (_, refused, isClosed) => {
  let isOpen = true;
  let calls = 0;
  const transport = handlerTransport(() => {
    calls += 1;
    return isOpen ? new Response('{"data": []}') : new Response('{"error": {"code": "x"}}', { status: 429 });
  });
  const session = testSession('workspace', { transport });
  await send(session, 'GET /v1/agents');
  expect(await findGone(session, 'WORKSPACE_API_URL')).toBe(null);
  isOpen = false;
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(refused.map((endpoint) => resultOrNull(send(session, endpoint))));
  }
  const sent = calls;
  expect((await findGone(session, 'WORKSPACE_API_URL'))?.text).toBe(
    isClosed
      ? 'WORKSPACE_API_URL answered 429 to every call for minutes: run again when its limits admit calls'
      : undefined,
  );
  expect(calls).toBe(sent);
});
