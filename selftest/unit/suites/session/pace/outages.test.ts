import { expect, test } from 'vitest';
import { send } from '../../../../../suites/session/send.ts';
import type { Session } from '../../../../../suites/session/session.ts';
import type { WireRequest } from '../../../../../suites/session/transport/transport.ts';
import { createVirtualClock } from '../../../../virtual-clock.ts';
import { testSession } from '../../../test-session.ts';

const [list, other] = ['GET /v1/agents', 'GET /v1/leads'];

/** A session with a deployment that is unavailable if `isAway` says so. `calls` counts calls. */
function openWith(isAway: (now: number, request: WireRequest) => boolean): {
  session: Session;
  now: () => number;
  calls: () => number;
} {
  const clock = createVirtualClock();
  const begun = clock.now();
  let calls = 0;
  const session = testSession('workspace', {
    clock,
    env: { WRITES: 'all' },
    async transport(request) {
      calls += 1;
      await clock.sleep(10);
      return {
        status: isAway(clock.now() - begun, request) ? 503 : 200,
        headers: [],
        body: Buffer.from('{"data":[]}'),
      };
    },
  });
  return { session, now: () => clock.now() - begun, calls: () => calls };
}

const during = (from: number, to: number) => (now: number) => now >= from && now < to;

test('reads wait until a deployment that was entirely unavailable is back', async () => {
  const { session, now } = openWith(during(100, 8_000));
  await send(session, other);
  await session.clock.sleep(100);
  expect((await send(session, list)).status).toBe(200);
  expect(now()).toBeGreaterThan(8_000);
});

test('a call that may have changed something is not repeated, and counts as unanswered', async () => {
  const { session } = openWith(during(100, 3_000));
  await send(session, other);
  await session.clock.sleep(100);
  const answer = await send(session, 'POST /v1/agents', { body: { name: 'one' } });
  expect(answer.status).toBe(0);
  expect(answer.exchange).toMatchObject({ response: null, failure: { kind: 'away' } });
  expect(session.evidence.exchanges.filter(({ request }) => request.method === 'POST')).toMatchObject([
    { response: { status: 503 } },
  ]);
});

test('an endpoint that is unavailable while another answers is judged as it is', async () => {
  const { session, calls } = openWith((_, { url }) => url.includes('/agents'));
  await send(session, other);
  expect((await send(session, list)).status).toBe(503);
  // Both attempts, and the other endpoint before and after.
  expect(calls()).toBe(4);
});

test('a deployment that stays unavailable is waited for only once', async () => {
  const { session, now } = openWith(during(100, Infinity));
  await send(session, other);
  await session.clock.sleep(100);
  expect((await send(session, list)).status).toBe(503);
  const waited = now();
  expect(waited).toBeGreaterThan(45_000);
  expect((await send(session, list)).status).toBe(503);
  expect(now() - waited).toBeLessThan(1_000);
});
