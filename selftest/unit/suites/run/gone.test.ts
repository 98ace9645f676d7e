import { expect, test } from 'vitest';
import { resultOrNull } from '../../../../suites/engine/parts.ts';
import { findGone } from '../../../../suites/run/gone.ts';
import { send } from '../../../../suites/session/send.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../test-session.ts';

test.each([
  ['still answers', false, '{"data": []}'],
  ['answers with what cannot be read', true, '['.repeat(100_000)],
])('a target that %s from some moment on is gone: %s', async (_, isGone, later) => {
  const bodies = ['{"data": []}'];
  const transport = handlerTransport(() => new Response(bodies.shift() ?? later));
  const session = testSession('workspace', { transport });
  const [probe = ''] = session.api.probes;
  for (let call = 0; call < 4; call += 1) {
    await send(session, probe);
  }
  const gone = await findGone({ target: { setting: 'WORKSPACE_API_URL' }, opened: { session } }, false);
  expect(gone?.text.startsWith('WORKSPACE_API_URL stopped answering during the run')).toBe(isGone || undefined);
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
  const target = { target: { setting: 'WORKSPACE_API_URL' }, opened: { session } };
  await send(session, 'GET /v1/agents');
  expect(await findGone(target, false)).toBe(null);
  isOpen = false;
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(refused.map((endpoint) => resultOrNull(send(session, endpoint))));
  }
  const sent = calls;
  expect((await findGone(target, false))?.text).toBe(
    isClosed
      ? 'WORKSPACE_API_URL answered 429 to every call for minutes: run again when its limits admit calls'
      : undefined,
  );
  expect(calls).toBe(sent);
});
