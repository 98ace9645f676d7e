import { expect, test } from 'vitest';
import { send } from '../../../../../suites/session/send.ts';
import { createVirtualClock } from '../../../../virtual-clock.ts';
import { testSession } from '../../../test-session.ts';

const list = 'GET /v1/agents';

test.each([
  ['is sent again until the minute has passed', '0', 55_000, 200],
  ['is given where the minute does not end it', '0', 600_000, 403],
  ['is given at once where calls are left', '7', 55_000, 403],
])('a 403 whose headers say that the minute is used up %s', async (_, remaining, lastsMs, status) => {
  const clock = createVirtualClock();
  const opened = clock.now();
  const session = testSession('workspace', {
    clock,
    transport: async () => ({
      status: clock.now() - opened < lastsMs ? 403 : 200,
      headers: [
        ['X-RateLimit-Limit', '60'],
        ['X-RateLimit-Remaining', remaining],
      ],
      body: Buffer.from('{}'),
    }),
  });
  expect((await send(session, list)).status).toBe(status);
});
