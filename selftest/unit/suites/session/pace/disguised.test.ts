import { expect, test } from 'vitest';
import { send } from '../../../../../suites/session/send.ts';
import { createVirtualClock } from '../../../../virtual-clock.ts';
import { testSession } from '../../../test-session.ts';

const list = 'GET /v1/agents';

test.each([
  ['whose headers say that the minute is used up is sent again until it has passed', '0', '{}', 55_000, 200],
  ['whose headers say so is given where the minute does not end it', '0', '{}', 600_000, 403],
  ['is given at once where calls are left', '7', '{}', 55_000, 403],
  ['with the code of a 429 is sent again', '7', '{"error":{"code":"RATE_LIMITED"}}', 20_000, 200],
])('a 403 %s', async (_, remaining, body, lastsMs, status) => {
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
      body: Buffer.from(body),
    }),
  });
  expect((await send(session, list)).status).toBe(status);
});
