import { expect, test } from 'vitest';
import { Inconclusive } from '../../../../../results/stop.ts';
import { lendKey } from '../../../../../suites/developer/keys/lending.ts';
import { handlerTransport } from '../../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../../test-session.ts';

const answer = (status: number, data: unknown): Response =>
  Response.json({ success: status < 400, data, context: null, error: status < 400 ? null : { code: 'X' } }, { status });

test.each([402, 403, 409])('a full account leaves it undecided, and says what to do: %s', async (status) => {
  const first = { id: 'key_1_a8f3c9d2e7b1', key: 'svc_test_0001Qw3rTy9LmNoPx5ZaBc7De' };
  const names: unknown[] = [];
  const transport = handlerTransport(async (request) => {
    if (request.method === 'POST') {
      const { name } = (await request.json()) as { name: string };
      names.push(name);
      return names.length === 1 ? answer(201, { ...first, name }) : answer(status, null);
    }
    return answer(200, { keys: names.slice(0, 1).map((name) => ({ id: first.id, name })) });
  });
  const session = testSession('developer', { transport });
  const borrowed = lendKey(session, ['one', ['ads:read']], async () => 'used');
  const error: unknown = await borrowed.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Inconclusive);
  expect((error as Inconclusive).findings[0]).toMatchObject({
    advice: 'Delete unused keys and run again',
    blames: 'developer.keys.create',
  });
});
