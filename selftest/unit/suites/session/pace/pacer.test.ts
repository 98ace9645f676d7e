import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPacer } from '../../../../../suites/session/pace/pacer.ts';
import { createVirtualClock } from '../../../../virtual-clock.ts';
import { keyOf, openPacer } from './open-pacer.ts';

/** The most calls in any window of this length. */
function densest(times: readonly number[], windowMs: number): number {
  return Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + windowMs).length));
}

test('no rolling minute has more calls than the limit, in whatever order they are requested', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(1, 60, 1000),
      fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 120 }),
      async (limit, clockSpeed, arrivals) => {
        const clock = createVirtualClock();
        const pacer = createPacer({ clock, keysShareBudget: false, clockSpeed, perMinute: () => limit });
        const sent: number[] = [];
        await Promise.all(
          arrivals.map(async (ms) => {
            await clock.sleep(ms / clockSpeed);
            await pacer.waitForTurn(keyOf('a'));
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
  await Promise.all(Array.from({ length: 60 }, () => pacer.waitForTurn(keyOf('a'))));
  expect(clock.now()).toBe(0);
  await pacer.waitForTurn(keyOf('a'));
  expect(clock.now()).toBeGreaterThan(60_000);
  expect(clock.now()).toBeLessThan(62_000);
});

/**
 * Two keys with the same number of admitted calls, one of which is then refused: whether calls of the other wait too.
 */
async function isKeptOff(calls: number): Promise<boolean> {
  const { clock, pacer } = openPacer(4);
  for (const key of [keyOf('a'), keyOf('b')]) {
    for (let call = 0; call < calls; call += 1) {
      await pacer.waitForTurn(key);
      pacer.noteAdmitted(key);
    }
  }
  expect(clock.now()).toBe(0);
  pacer.pause(keyOf('a'), 5_000);
  await pacer.waitForTurn(keyOf('b'));
  return clock.now() >= 5_000;
}

test('each key has its own lane, until a 429 shows that keys share one', async () => {
  expect(await isKeptOff(2)).toBe(true);
});

test('a 429 after fewer calls of all keys than the limit does not show that keys share a minute', async () => {
  expect(await isKeptOff(1)).toBe(false);
});

test('unknown keys share one queue, and do not delay other calls', async () => {
  const { clock, pacer } = openPacer(100);
  pacer.pause(keyOf('made up', { origin: 'unknown' }), 30_000);
  await pacer.waitForTurn(keyOf('a'));
  expect(clock.now()).toBe(0);
  await pacer.waitForTurn(keyOf('made up too', { origin: 'unknown' }));
  expect(clock.now()).toBe(30_000);
});

test('whoever is told again and again to try at once waits longer and longer', async () => {
  const { clock, pacer } = openPacer(100);
  let calls = 0;
  for (const key = keyOf('a'); clock.now() < 120_000; calls += 1) {
    await pacer.waitForTurn(key);
    pacer.pause(key, 20);
  }
  expect(calls).toBeLessThan(10);
});

test('a route that is refused for whole windows stops no other: another route is tried, and if it is admitted, only the first is stuck', async () => {
  const { clock, pacer } = openPacer(100);
  const key = keyOf('a');
  const refuse = async (route: string): Promise<void> => {
    pacer.pause(key, 60_000, route);
    await clock.sleep(60_001);
  };
  for (let i = 0; i < 4; i += 1) {
    await refuse('POST /keys');
  }
  expect([pacer.isStuck(key, 'POST /keys'), pacer.isStuck(key, 'GET /list')]).toEqual([true, false]);
  pacer.noteAdmitted(key, 'GET /list');
  expect([pacer.isStuck(key, 'POST /keys'), pacer.isStuck(key, 'GET /list')]).toEqual([true, false]);
  pacer.noteAdmitted(key, 'POST /keys');
  for (const route of ['POST /keys', 'POST /keys', 'POST /keys', 'GET /list']) {
    await refuse(route);
  }
  expect([pacer.isStuck(key, 'POST /keys'), pacer.isStuck(key, 'GET /other')]).toEqual([true, true]);
});

test('a route that is refused although its budget has room delays no other, and is given up sooner', async () => {
  const { clock, pacer } = openPacer(100);
  const key = keyOf('a');
  pacer.pause(key, 30_000, 'POST /seed', true);
  await pacer.waitForTurn(key, 'GET /list');
  await pacer.waitForTurn(keyOf('b'), 'POST /seed');
  expect(clock.now()).toBe(0);
  await pacer.waitForTurn(key, 'POST /seed');
  expect(clock.now()).toBe(30_000);
  for (let i = 0; i < 2; i += 1) {
    pacer.pause(key, 60_000, 'POST /seed', true);
    await clock.sleep(60_001);
  }
  expect([pacer.isStuck(key, 'POST /seed'), pacer.isStuck(key, 'GET /list')]).toEqual([true, false]);
  pacer.noteAdmitted(key, 'POST /seed');
  expect(pacer.isStuck(key, 'POST /seed')).toBe(false);
});

test('routes that are refused one after the other draw on one budget, whatever the answers say is left', async () => {
  const { clock, pacer } = openPacer(100);
  const key = keyOf('a');
  const routes = ['GET /one', 'GET /two', 'GET /three'];
  for (let minute = 0; minute < 2; minute += 1) {
    for (const route of routes) {
      pacer.pause(key, 60_000, route, true);
    }
    await clock.sleep(60_001);
  }
  expect(routes.map((route) => pacer.isStuck(key, route))).toEqual([false, false, false]);
  const now = clock.now();
  for (const route of routes) {
    pacer.pause(key, 60_000, route, true);
  }
  await pacer.waitForTurn(key, 'GET /four');
  expect(clock.now() - now).toBe(60_000);
});

test('routes between which calls are admitted pause each for itself', async () => {
  const { clock, pacer } = openPacer(100);
  const key = keyOf('a');
  for (const route of ['GET /one', 'GET /two', 'GET /three']) {
    pacer.pause(key, 60_000, route, true);
    pacer.noteAdmitted(key, 'GET /four');
  }
  await pacer.waitForTurn(key, 'GET /four');
  expect(clock.now()).toBe(0);
});

test.each([
  [1_000, 130_000],
  [2_000, 200_000],
])('a limiter that spaces calls by %i ms, without Retry-After, does not cost whole minutes', async (apart, most) => {
  const { clock, pacer } = openPacer(60);
  const key = keyOf('a');
  let last = -Infinity;
  const isAdmitted = (): boolean => {
    const admitted = clock.now() - last >= apart;
    last = admitted ? clock.now() : last;
    return admitted;
  };
  const call = async (): Promise<void> => {
    for (;;) {
      await pacer.waitForTurn(key);
      if (isAdmitted()) {
        return pacer.noteAdmitted(key);
      }
      pacer.pause(key, null);
    }
  };
  await Promise.all(Array.from({ length: 60 }, call));
  expect(clock.now()).toBeLessThan(most);
  expect(pacer.isStuck(key)).toBe(false);
});

test('a minute that others use up repeatedly slows nothing down once it is over', async () => {
  const { clock, pacer } = openPacer(60);
  const key = keyOf('a');
  const isOver = (): boolean => clock.now() % 60_000 > 30_000;
  for (let call = 0; call < 100; call += 1) {
    await pacer.waitForTurn(key);
    for (; !isOver(); await pacer.waitForTurn(key)) {
      pacer.pause(key, null);
    }
    pacer.noteAdmitted(key);
  }
  // At most thirty in each minute, at the pace of the limit.
  expect(clock.now()).toBeLessThan(6 * 60_000);
});

test('a call that was sent without waiting takes a place in the minute', async () => {
  const { clock, pacer } = openPacer(2);
  await pacer.waitForTurn(keyOf('a'));
  pacer.noteSent(keyOf('a'));
  expect(clock.now()).toBe(0);
  await pacer.waitForTurn(keyOf('a'));
  expect(clock.now()).toBeGreaterThan(60_000);
});
