import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../../../../contract/limits.ts';
import { Inconclusive } from '../../../../../results/stop.ts';
import type { ApiKey } from '../../../../../suites/session/key.ts';
import { mainKey } from '../../../../../suites/session/keys.ts';
import { send } from '../../../../../suites/session/send.ts';
import { createVirtualClock } from '../../../../virtual-clock.ts';
import { testKeys, testSession } from '../../../test-session.ts';

const secret = 'wsk_of_nobody_9876543210';
const nobody: ApiKey = { secret, label: 'nobody', environment: 'workspace', origin: 'unknown' };
const [list, other] = ['GET /v1/agents', 'GET /v1/leads'];

interface Asked {
  readonly isGood: boolean;
  readonly isList: boolean;
  /** Milliseconds since the opening. */
  readonly now: number;
}

/** A session with a deployment that answers with that status, after so many milliseconds, and calls of it. */
function openWith(statusOf: (asked: Asked) => number, latency: (isList: boolean) => number = () => 10) {
  const clock = createVirtualClock();
  const opened = clock.now();
  const session = testSession('workspace', {
    clock,
    env: { WRITES: 'all' },
    async transport({ headers, url }) {
      const isGood = headers.some(([, value]) => value.includes(testKeys.workspace));
      const isList = url.includes('/agents');
      const status = statusOf({ isGood, isList, now: clock.now() - opened });
      await clock.sleep(latency(isList));
      return { status, headers: [], body: Buffer.from('{"data":[]}') };
    },
  });
  const call = async (key: ApiKey, endpoint = list): Promise<number> =>
    (await send(session, endpoint, { key, ...(key === nobody ? { purpose: 'refusal' } : {}) })).status;
  return {
    session,
    good: (endpoint?: string) => call(mainKey(session), endpoint),
    bad: (endpoint?: string) => call(nobody, endpoint),
    now: () => clock.now() - opened,
    calls: () => session.client.sent,
  };
}

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
    const { good, bad, now } = locking(401, 3);
    await good();
    await bad();
    await bad();
    expect(await good(other)).toBe(200);
    expect(now()).toBeGreaterThanOrEqual(3 * minuteMs);
  });

  test('one that ends while a slow answer is in transit is still one', async () => {
    const { bad } = openWith(
      ({ isGood, isList, now }) => (isGood ? 200 : !isList && now < 10_000 ? 403 : 401),
      (isList) => (isList ? 10 : 14_000),
    );
    await bad();
    expect(await bad(other)).toBe(401);
  });

  test('a status that is not that of a lockout is kept, and told by one call; so is that of a key accepted since', async () => {
    const { good, bad, calls } = openWith(({ isGood, isList }) => (isList ? (isGood ? 200 : 401) : 403));
    await bad();
    expect([await bad(other), calls()]).toEqual([403, 3]);
    await good();
    expect([await good(other), calls()]).toEqual([403, 5]);
  });

  test('where one does not end, bad keys are given up first, then good ones, and no bad key is sent any more', async () => {
    const { good, bad, now, calls } = locking(403, 1_000);
    await good();
    await bad();
    await bad();
    await expect(bad(other)).rejects.toThrow(Inconclusive);
    expect(now() / minuteMs).toBeLessThan(6);
    const sent = calls();
    await expect(bad()).rejects.toThrow('was skipped: the deployment still locks this address out');
    expect(calls()).toBe(sent);
    await expect(good(other)).rejects.toThrow('still locks this address out');
    expect(now() / minuteMs).toBeLessThan(18);
  });
});

describe('outages', () => {
  /** A session with a deployment that is away from 100 ms until then. */
  async function awayUntil(to: number): Promise<ReturnType<typeof openWith>> {
    const opened = openWith(({ now }) => (now >= 100 && now < to ? 503 : 200));
    await opened.good(other);
    await opened.session.clock.sleep(100);
    return opened;
  }

  test('reads wait until a deployment that was entirely away is back', async () => {
    const { good, now } = await awayUntil(8_000);
    expect(await good()).toBe(200);
    expect(now()).toBeGreaterThan(8_000);
  });

  test('a call that may have changed something is not repeated, and counts as unanswered', async () => {
    const { session } = await awayUntil(3_000);
    const { status, exchange } = await send(session, 'POST /v1/agents', { body: { name: 'one' } });
    expect({ status, ...exchange }).toMatchObject({ status: 0, response: null, failure: { kind: 'away' } });
    const sent = session.evidence.exchanges.filter(({ request }) => request.method === 'POST');
    expect(sent.map(({ response }) => response?.status)).toEqual([503]);
  });

  test('an endpoint that is away while another answers is judged as it is', async () => {
    const { good, calls } = openWith(({ isList }) => (isList ? 503 : 200));
    await good(other);
    expect(await good()).toBe(503);
    // Both attempts, and the other endpoint before and after.
    expect(calls()).toBe(4);
  });

  test('a deployment that stays away is waited for only once', async () => {
    const { good, now } = await awayUntil(Infinity);
    expect(await good()).toBe(503);
    const waited = now();
    expect(waited).toBeGreaterThan(40_000);
    expect(await good()).toBe(503);
    expect(now() - waited).toBeLessThan(1_000);
  });
});
