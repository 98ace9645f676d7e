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

test('a target that answers 429 to every call for minutes has closed, and is asked nothing more', async () => {
  const bodies = ['{"data": []}'];
  let calls = 0;
  const transport = handlerTransport(() => {
    calls += 1;
    const body = bodies.shift();
    return new Response(body ?? '{"error": {"code": "rate_limited"}}', { status: body === undefined ? 429 : 200 });
  });
  const session = testSession('workspace', { transport });
  const [probe = ''] = session.api.probes;
  await send(session, probe);
  const target = { target: { setting: 'WORKSPACE_API_URL' }, opened: { session } };
  expect(await findGone(target, false)).toBe(null);
  for (let call = 0; call < 30; call += 1) {
    await resultOrNull(send(session, probe));
  }
  const sent = calls;
  const gone = await findGone(target, false);
  expect(gone?.text).toBe(
    'WORKSPACE_API_URL answered 429 to every call for minutes: run again when its limits admit calls',
  );
  expect(calls).toBe(sent);
});
