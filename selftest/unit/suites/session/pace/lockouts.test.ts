import { expect, test } from 'vitest';
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

/**
 * A session with a deployment that answers with the status that `statusOf` returns for the key and the number of calls
 * so far.
 */
function openWith(
  statusOf: (isGood: boolean, request: WireRequest, calls: number, now: number) => number,
  latencyOf: (request: WireRequest) => number = () => 0,
): {
  session: Session;
  calls: () => number;
} {
  const clock = createVirtualClock();
  let calls = 0;
  const session = testSession('workspace', {
    clock,
    async transport(request) {
      calls += 1;
      const isGood = request.headers.some(([, value]) => value.includes(testKeys.workspace));
      const status = statusOf(isGood, request, calls, clock.now());
      await clock.sleep(latencyOf(request));
      return { status, headers: [], body: Buffer.from('{}') };
    },
  });
  return { session, calls: () => calls };
}

const withBadKey = (session: Session, endpoint = list): Promise<number> =>
  send(session, endpoint, { key: bad, purpose: 'refusal' }).then(({ status }) => status);
const friend = (session: Session, endpoint = list): Promise<number> =>
  send(session, endpoint).then(({ status }) => status);

/** Two calls with bad keys lock out all callers for some minutes. */
function locking(status: number, minutes: number): ReturnType<typeof openWith> {
  let [failures, until] = [0, 0];
  return openWith((isGood, _, __, now) => {
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
test('a lockout with 401 is waited out for valid keys, and their calls are repeated', async () => {
  const { session } = locking(401, 3);
  await friend(session);
  await withBadKey(session);
  await withBadKey(session);
  const began = session.clock.now();
  expect(await friend(session, other)).toBe(200);
  expect(session.clock.now() - began).toBeGreaterThanOrEqual(3 * minuteMs);
});

test('a lockout that ends while a slow answer is in transit is still one', async () => {
  let ends = Infinity;
  const { session } = openWith(
    (isGood, { url }, _, now) => (isGood ? 200 : url.includes('leads') && now < ends ? 403 : 401),
    ({ url }) => (url.includes('leads') ? 14_000 : 0),
  );
  await withBadKey(session);
  const began = session.clock.now();
  ends = began + 10_000;
  expect([await withBadKey(session, other), session.clock.now() - began]).toEqual([401, 28_000]);
});

test('a status that is not a lockout is recognised with one call, and kept', async () => {
  const { session, calls } = openWith((isGood, { url }) => (isGood ? 200 : url.includes('leads') ? 403 : 401));
  const began = session.clock.now();
  await withBadKey(session);
  expect([await withBadKey(session, other), await withBadKey(session, other), calls()]).toEqual([403, 403, 4]);
  expect(session.clock.now()).toBe(began);
});

test('a refusal of a key that was accepted since is no lockout', async () => {
  const { session, calls } = openWith((isGood, { url }) => (isGood ? (url.includes('leads') ? 403 : 200) : 401));
  await withBadKey(session);
  await friend(session);
  expect([await friend(session, other), calls()]).toEqual([403, 3]);
});

test('in an endless lockout invalid keys are given up first, then valid ones, and no invalid key is sent any more', async () => {
  const { session, calls } = locking(403, 1_000);
  await friend(session);
  await withBadKey(session);
  await withBadKey(session);
  const began = session.clock.now();
  await expect(withBadKey(session, other)).rejects.toThrow(Inconclusive);
  expect((session.clock.now() - began) / minuteMs).toBeLessThan(6);
  const sent = calls();
  await expect(withBadKey(session)).rejects.toThrow('was skipped: the deployment still locks this address out');
  expect(calls()).toBe(sent);
  await expect(friend(session, other)).rejects.toThrow('still locks this address out');
  expect((session.clock.now() - began) / minuteMs).toBeLessThan(17);
});

test('the call that shows whether a lockout goes on waits for its place in the minute of its key', async () => {
  const most = 60;
  let sent: number[] = [];
  const { session } = openWith((isGood, _, calls, now) => {
    sent = isGood ? [...sent, now] : sent;
    // The last call that fits into the minute is refused although its key is good.
    return !isGood || calls === most + 1 ? 401 : 200;
  });
  await friend(session, list);
  await withBadKey(session);
  await Promise.all(Array.from({ length: most - 1 }, () => friend(session, other)));
  expect(sent.length).toBeGreaterThan(most);
  for (const from of sent) {
    expect(sent.filter((time) => time >= from && time < from + minuteMs).length).toBeLessThanOrEqual(most);
  }
});
