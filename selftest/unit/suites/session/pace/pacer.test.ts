import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Inconclusive } from '../../../../../results/outcome.ts';
import type { ApiKey } from '../../../../../suites/session/call.ts';
import { createPacer } from '../../../../../suites/session/pace/pacer.ts';
import { send } from '../../../../../suites/session/session.ts';
import { createVirtualClock } from '../../../../virtual-clock.ts';
import { testSession } from '../../../test-session.ts';

const keyOf = (secret: string, origin: ApiKey['origin'] = 'own'): ApiKey => {
  return { secret, label: secret, environment: 'sandbox', origin };
};
const [key, bad] = [keyOf('a'), keyOf('made up', 'unknown')];

/** A pacer on a virtual clock that begins at 0. */
function openPacer(perMinute: number, clockSpeed = 1) {
  const clock = createVirtualClock(0);
  return { clock, pacer: createPacer({ clock, keysShareBudget: false, clockSpeed, perMinute: () => perMinute }) };
}

/** A 429 with that Retry-After. */
const asking = (seconds: string | null = null): { header: () => string | null } => ({ header: () => seconds });

/** The most calls in any window of this length. */
const densest = (times: readonly number[], windowMs: number): number =>
  Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + windowMs).length));

test('no rolling minute has more calls than the limit, in whatever order they are requested', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(1, 60, 1000),
      fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 120 }),
      async (limit, clockSpeed, arrivals) => {
        const { clock, pacer } = openPacer(limit, clockSpeed);
        const sent: number[] = [];
        await Promise.all(
          arrivals.map(async (ms) => {
            await clock.sleep(ms / clockSpeed);
            await pacer.waitForTurn(key);
            sent.push(clock.now());
          }),
        );
        expect(sent.length).toBe(arrivals.length);
        expect(densest(sent, 60_000 / clockSpeed)).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 40 },
  );
});

test('an idle budget is used at once, and later calls wait no longer than needed', async () => {
  const { clock, pacer } = openPacer(60);
  await Promise.all(Array.from({ length: 59 }, () => pacer.waitForTurn(key)));
  // Sent without waiting, it takes a place in the minute all the same.
  pacer.noteSent(key);
  expect(clock.now()).toBe(0);
  await pacer.waitForTurn(key);
  expect(clock.now()).toBeGreaterThan(60_000);
  expect(clock.now()).toBeLessThan(62_000);
});

test('keys without a place among the valid ones share one queue, and delay no other', async () => {
  const { clock, pacer } = openPacer(100);
  pacer.pause(bad, 'GET /list', asking('30'));
  await pacer.waitForTurn(key);
  expect(clock.now()).toBe(0);
  await pacer.waitForTurn({ ...bad, secret: 'made up too' });
  expect(clock.now()).toBeGreaterThan(30_000);
});

test.each([
  ['0', 20, 1_000],
  ['21600', 60_000, 62_000],
  ['Sat, 14 Mar 2026 09:00:30 GMT', 20, 1_000],
])('Retry-After: %s pauses a key for %i to %i ms', (seconds, least, most) => {
  const ms = openPacer(100).pacer.pause(key, 'GET /list', asking(seconds));
  expect(ms).toBeGreaterThan(least);
  expect(ms).toBeLessThan(most);
});

test.each([1_000, 2_000])('a limiter that spaces calls by %i ms does not cost whole minutes', async (apart) => {
  const { clock, pacer } = openPacer(60);
  let [last, refusals] = [-Infinity, 0];
  const call = async (): Promise<void> => {
    for (;;) {
      await pacer.waitForTurn(key);
      if (clock.now() - last >= apart) {
        last = clock.now();
        return pacer.noteAdmitted(key);
      }
      refusals += 1;
      pacer.pause(key, 'GET /list', asking());
    }
  };
  await Promise.all(Array.from({ length: 60 }, call));
  expect(clock.now()).toBeLessThan(60 * apart * 2.5);
  expect(refusals).toBeLessThanOrEqual(60);
});

/** A session with a deployment that answers 429 where the URL has these words, and how long it has lasted. */
function limited(words: string) {
  const serve = ({ url }: Request): Response => Response.json({}, { status: url.includes(words) ? 429 : 200 });
  const session = testSession('workspace', { serve });
  const began = session.clock.now();
  return { session, minutes: () => (session.clock.now() - began) / 60_000 };
}

test('all that wait for a key are given up when it is stuck, and not one after the other', async () => {
  const { session, minutes } = limited('/');
  const all = Array.from({ length: 40 }, () => send(session, 'GET /v1/agents'));
  for (const one of await Promise.allSettled(all)) {
    expect(one).toMatchObject({ status: 'rejected', reason: expect.any(Inconclusive) });
  }
  expect(minutes()).toBeLessThan(6);
});

test('a route with a limit of its own is given up after three windows, though others are admitted', async () => {
  const { session, minutes } = limited('leads');
  const others = (async () => {
    for (let call = 0; call < 30; call += 1) {
      expect((await send(session, 'GET /v1/agents')).status).toBe(200);
      await session.clock.sleep(10_000);
    }
  })();
  await expect(send(session, 'GET /v1/leads')).rejects.toThrow(Inconclusive);
  expect(minutes()).toBeLessThan(5);
  await others;
});
