import { expect, test } from 'vitest';
import { findGone } from '../../../../suites/run/gone.ts';
import { send } from '../../../../suites/session/send.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../test-session.ts';

test.each([
  ['still answers', '{"data": []}', false],
  ['answers with what cannot be read', '['.repeat(100_000), true],
])('a target that %s from some moment on is gone: %s', async (_, later, isGone) => {
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
