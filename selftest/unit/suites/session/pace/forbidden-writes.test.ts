import { expect, test } from 'vitest';
import { Skipped } from '../../../../../results/stop.ts';
import { send } from '../../../../../suites/session/send.ts';
import { handlerTransport } from '../../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../../test-session.ts';

test('a call that WRITES forbids takes no place in the minute of its key', async () => {
  const transport = handlerTransport(() => Response.json({ agents: [] }));
  const session = testSession('workspace', { transport, env: { WRITES: 'none' } });
  const begun = session.clock.now();
  for (let call = 0; call < 70; call += 1) {
    await expect(send(session, 'POST /v1/agents', { body: {} })).rejects.toThrow(Skipped);
  }
  await send(session, 'GET /v1/agents');
  expect([session.client.sent, session.clock.now() - begun]).toEqual([1, 0]);
});
