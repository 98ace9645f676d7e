import type { Session } from '../../../../../suites/session/session.ts';
import { handlerTransport } from '../../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../../test-session.ts';

/** The body of a key creation. */
interface KeyRequest {
  readonly name: string;
  readonly environment: string;
  readonly scopes: readonly string[];
}

const answer = (status: number, data: unknown): Response =>
  Response.json({ success: status < 400, data, context: null, error: status < 400 ? null : { code: 'X' } }, { status });

/**
 * A session with a deployment that creates, lists and deletes keys. `refusalOf` gives the status with which a creation
 * is refused while the account has `count` keys; null: it is accepted.
 */
export function openKeyAccount(refusalOf: (request: KeyRequest, count: number) => number | null): Session {
  const keys = new Map<string, unknown>();
  let made = 0;
  const transport = handlerTransport(async (request) => {
    const id = new URL(request.url).pathname.split('/').at(-1) ?? '';
    if (request.method === 'DELETE') {
      return answer(keys.delete(id) ? 200 : 404, {});
    }
    if (request.method !== 'POST') {
      return answer(200, { keys: [...keys.values()] });
    }
    const body = (await request.json()) as KeyRequest;
    const refusal = refusalOf(body, keys.size);
    if (refusal !== null) {
      return answer(refusal, null);
    }
    made += 1;
    const key = { id: `key_${made}_a8f3c9d2e7b1`, name: body.name, environment: body.environment };
    keys.set(key.id, key);
    const prefix = body.environment === 'live' ? 'svc_live_' : 'svc_test_';
    return answer(201, { ...key, key: `${prefix}${String(made).padStart(4, '0')}Qw3rTy9LmNoPx5ZaBc7De` });
  });
  return testSession('developer', { transport, env: { WRITES: 'all' } });
}
