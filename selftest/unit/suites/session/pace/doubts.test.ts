import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../../../../contract/limits.ts';
import { Inconclusive } from '../../../../../results/stop.ts';
import type { ApiKey } from '../../../../../suites/session/key.ts';
import { send } from '../../../../../suites/session/send.ts';
import type { Session } from '../../../../../suites/session/session.ts';
import type { WireRequest } from '../../../../../suites/session/transport/transport.ts';
import { createVirtualClock } from '../../../../virtual-clock.ts';
import { testKeys, testSession } from '../../../test-session.ts';

const bad: ApiKey = {
  secret: 'wsk_of_nobody_9876543210',
  label: 'nobody',
  environment: 'workspace',
  origin: 'unknown',
};
const [list, other] = ['GET /v1/agents', 'GET /v1/leads'];

interface Asked {
  readonly isGood: boolean;
  readonly isList: boolean;
  /** Milliseconds since the opening. */
  readonly now: number;
  readonly method: string;
}

/** A session with a deployment that answers with that status, after as many milliseconds as `latency` says. */
function openWith(statusOf: (asked: Asked) => number, latency: (request: WireRequest) => number = () => 10) {
  const clock = createVirtualClock();
  const opened = clock.now();
  const session = testSession('workspace', {
    clock,
    env: { WRITES: 'all' },
    async transport(request) {
      const isGood = request.headers.some(([, value]) => value.includes(testKeys.workspace));
      const isList = request.url.includes('/agents');
      const status = statusOf({ isGood, isList, now: clock.now() - opened, method: request.method });
      await clock.sleep(latency(request));
      return { status, headers: [], body: Buffer.from('{"data":[]}') };
    },
  });
  return { session, now: () => clock.now() - opened, calls: () => session.client.sent };
}

const withBadKey = (session: Session, endpoint = list): Promise<number> =>
  send(session, endpoint, { key: bad, purpose: 'refusal' }).then(({ status }) => status);
const withGoodKey = (session: Session, endpoint = list): Promise<number> =>
  send(session, endpoint).then(({ status }) => status);

describe('lockouts', () => {
  /** Two calls with bad keys lock out all callers for some minutes. */
  function locking(status: number, minutes: number): ReturnType<typeof openWith> {
    let [failures, until] = [0, 0];
    return openWith(({ isGood, now }) => {
      if (now < until) {
        return status;
      }
      failures += isGood ? 0 : 1;
      if (failures === 2) {
        [failures, until] = [0, now + minutes * minuteMs];
      }
      return isGood ? 200 : 401;
    });
  }

  // One with 403 is among the choices of the reference.
  test('one with 401 is waited out for valid keys, and their calls are repeated', async () => {
    const { session, now } = locking(401, 3);
    await withGoodKey(session);
    await withBadKey(session);
    await withBadKey(session);
    expect(await withGoodKey(session, other)).toBe(200);
    expect(now()).toBeGreaterThanOrEqual(3 * minuteMs);
  });

  test('one that ends while a slow answer is in transit is still one', async () => {
    const { session } = openWith(
      ({ isGood, isList, now }) => (isGood ? 200 : !isList && now < 10_000 ? 403 : 401),
      ({ url }) => (url.includes('leads') ? 14_000 : 10),
    );
    await withBadKey(session);
    expect(await withBadKey(session, other)).toBe(401);
  });

  test('a status that is not that of a lockout is kept, and told by one call', async () => {
    const { session, calls } = openWith(({ isGood, isList }) => (isGood ? 200 : isList ? 401 : 403));
    await withBadKey(session);
    expect([await withBadKey(session, other), calls()]).toEqual([403, 3]);
  });

  test('a refusal of a key that was accepted since is none', async () => {
    const { session, calls } = openWith(({ isGood, isList }) => (isGood ? (isList ? 200 : 403) : 401));
    await withBadKey(session);
    await withGoodKey(session);
    expect([await withGoodKey(session, other), calls()]).toEqual([403, 3]);
  });

  test('where one does not end, bad keys are given up first, then good ones, and no bad key is sent any more', async () => {
    const { session, now, calls } = locking(403, 1_000);
    await withGoodKey(session);
    await withBadKey(session);
    await withBadKey(session);
    await expect(withBadKey(session, other)).rejects.toThrow(Inconclusive);
    expect(now() / minuteMs).toBeLessThan(6);
    const sent = calls();
    await expect(withBadKey(session)).rejects.toThrow('was skipped: the deployment still locks this address out');
    expect(calls()).toBe(sent);
    await expect(withGoodKey(session, other)).rejects.toThrow('still locks this address out');
    expect(now() / minuteMs).toBeLessThan(18);
  });
});

describe('outages', () => {
  /** A session with a deployment that is away from 100 ms until then. */
  async function awayUntil(to: number): Promise<ReturnType<typeof openWith>> {
    const opened = openWith(({ now }) => (now >= 100 && now < to ? 503 : 200));
    await withGoodKey(opened.session, other);
    await opened.session.clock.sleep(100);
    return opened;
  }

  test('reads wait until a deployment that was entirely away is back', async () => {
    const { session, now } = await awayUntil(8_000);
    expect(await withGoodKey(session)).toBe(200);
    expect(now()).toBeGreaterThan(8_000);
  });

  test('a call that may have changed something is not repeated, and counts as unanswered', async () => {
    const { session } = await awayUntil(3_000);
    const answer = await send(session, 'POST /v1/agents', { body: { name: 'one' } });
    expect(answer.status).toBe(0);
    expect(answer.exchange).toMatchObject({ response: null, failure: { kind: 'away' } });
    expect(session.evidence.exchanges.filter(({ request }) => request.method === 'POST')).toMatchObject([
      { response: { status: 503 } },
    ]);
  });

  test('an endpoint that is away while another answers is judged as it is', async () => {
    const { session, calls } = openWith(({ isList }) => (isList ? 503 : 200));
    await withGoodKey(session, other);
    expect(await withGoodKey(session)).toBe(503);
    // Both attempts, and the other endpoint before and after.
    expect(calls()).toBe(4);
  });

  test('a deployment that stays away is waited for only once', async () => {
    const { session, now } = await awayUntil(Infinity);
    expect(await withGoodKey(session)).toBe(503);
    const waited = now();
    expect(waited).toBeGreaterThan(40_000);
    expect(await withGoodKey(session)).toBe(503);
    expect(now() - waited).toBeLessThan(1_000);
  });
});
