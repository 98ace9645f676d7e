import { expect, test } from 'vitest';
import { scopes } from '../../../../contract/scopes.ts';
import { makeKey } from '../../../../suites/developer/support/keys/make-key.ts';
import type { Session } from '../../../../suites/session/session.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../test-session.ts';

/** A deployment whose account has room for `room` keys; unless `makesLive`, a sandbox key makes no live ones. */
function openWith(room: number, makesLive: boolean): Session {
  const keys = new Map<string, unknown>();
  let made = 0;
  const answer = (status: number, data: unknown): Response =>
    Response.json(
      { success: status < 400, data, context: null, error: status < 400 ? null : { code: 'X' } },
      { status },
    );
  const transport = handlerTransport(async (request) => {
    const id = new URL(request.url).pathname.split('/').at(-1) ?? '';
    if (request.method === 'DELETE') {
      return answer(keys.delete(id) ? 200 : 404, {});
    }
    if (request.method !== 'POST') {
      return answer(200, { keys: [...keys.values()] });
    }
    const { name, environment } = (await request.json()) as Record<string, string>;
    if (keys.size >= room || (environment === 'live' && !makesLive)) {
      return answer(403, null);
    }
    made += 1;
    const key = { id: `key_${made}_a8f3c9d2e7b1`, name, environment };
    keys.set(key.id, key);
    const prefix = environment === 'live' ? 'svc_live_' : 'svc_test_';
    return answer(201, { ...key, key: `${prefix}${String(made).padStart(4, '0')}Qw3rTy9LmNoPx5ZaBc7De` });
  });
  return testSession('developer', { transport, env: { WRITES: 'all' } });
}

test.each([
  ['a live key is not waited for where a sandbox key is made and a live one refused', 100, false, false],
  ['a live key is not waited for where no key can be made', 0, true, false],
  ['a live key is made where it may', 100, true, true],
])('%s', async (_, room, makesLive, isMade) => {
  const session = openWith(room, makesLive);
  const outcome = await makeKey(session, 'live', scopes, { environment: 'live' }).then(
    () => true,
    () => false,
  );
  expect(outcome).toBe(isMade);
  expect(session.clock.now() - session.openedAt).toBeLessThan(15_000);
});
