import { expect, test } from 'vitest';
import { begunAfter, readList } from '../../../../suites/records/list-reading.ts';
import { send } from '../../../../suites/session/send.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../test-session.ts';

const list = 'GET /v1/agents';

test('a read that began before the answer to a call does not show what the call did', async () => {
  const transport = handlerTransport(() => Response.json({ data: [{ id: 'agent_a' }] }));
  const session = testSession('workspace', { env: { WRITES: 'all' }, transport });
  const early = await readList(session, list);
  const write = await send(session, 'POST /v1/agents', { body: {} });
  const later = await readList(session, list, { reuse: begunAfter(session, write) });
  expect(later).not.toBe(early);
  expect(await readList(session, list, { reuse: begunAfter(session, write) })).toBe(later);
});
