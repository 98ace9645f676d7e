import { expect, test } from 'vitest';
import { createPacer } from '../../../../../suites/session/pace/pacer.ts';
import { keyOf, openPacer } from './open-pacer.ts';

test('a call whose budget has room waits for nothing, though the clock moves on between two readings', async () => {
  let time = 0;
  const waits: number[] = [];
  const clock = {
    now: () => (time += 0.25),
    sleep: async (ms: number) => {
      time += ms;
    },
  };
  const pacer = createPacer({
    clock,
    keysShareBudget: false,
    clockSpeed: 1,
    perMinute: () => 100,
    onWait: (_, ms) => waits.push(ms),
  });
  for (let call = 0; call < 100; call += 1) {
    await pacer.waitForTurn(keyOf('a'));
  }
  expect(waits).toEqual([]);
});

test('a budget counts as stuck after whole windows without an admitted call, until a call is admitted', async () => {
  const { clock, pacer } = openPacer(100);
  const key = keyOf('a');
  for (let i = 0; i < 3; i += 1) {
    pacer.pause(key, 60_000);
    pacer.pause(key, 60_000);
    await clock.sleep(60_001);
  }
  expect(pacer.isStuck(key)).toBe(false);
  pacer.pause(key, 60_000);
  expect(pacer.isStuck(key)).toBe(true);
  pacer.noteAdmitted(key);
  expect(pacer.isStuck(key)).toBe(false);
});

test('where many calls in whole windows were refused, whatever the key, nobody is admitted until one is', async () => {
  const { clock, pacer } = openPacer(100);
  for (let i = 0; i < 20; i += 1) {
    expect(pacer.admitsNobody()).toBe(false);
    pacer.pause(keyOf(`made ${i}`), 60_000, `GET /${i % 3}`);
    await clock.sleep(10_000);
  }
  expect(pacer.admitsNobody()).toBe(true);
  pacer.noteAdmitted(keyOf('made 3'));
  expect(pacer.admitsNobody()).toBe(false);
});

test('where one route alone is refused, whatever the key, others may be admitted', async () => {
  const { clock, pacer } = openPacer(100);
  for (let i = 0; i < 40; i += 1) {
    pacer.pause(keyOf(`made ${i}`), 60_000, 'POST /generate');
    await clock.sleep(10_000);
  }
  expect([pacer.admitsNobody(), pacer.isClosed()]).toEqual([false, false]);
});

test('a budget that its headers call used up for hours is tried again after a window, and then given up', async () => {
  const { pacer } = openPacer(100);
  const key = keyOf('a');
  pacer.pause(key, Infinity);
  expect(pacer.isStuck(key)).toBe(false);
  await pacer.waitForTurn(key);
  pacer.pause(key, Infinity);
  expect(pacer.isStuck(key)).toBe(true);
  pacer.noteAdmitted(key);
  expect(pacer.isStuck(key)).toBe(false);
});

/** A pacer whose key was told to pause for 5 s, and calls that wait; `begun` says how many of these have begun. */
function pausedWith(waiting: number) {
  const [key, { clock, pacer }] = [keyOf('a'), openPacer(1_000)];
  pacer.pause(key, 5_000);
  let begun = 0;
  for (let call = 0; call < waiting; call += 1) {
    void pacer.waitForTurn(key).then(() => {
      begun += 1;
    });
  }
  return { clock, pacer, key, begun: () => begun };
}

test('after a pause one call begins, then two for each that is admitted', async () => {
  const { clock, pacer, key, begun } = pausedWith(100);
  await clock.sleep(5_001);
  const counts = [begun()];
  for (const admitted of [1, 2, 4]) {
    Array.from({ length: admitted }, () => pacer.noteAdmitted(key));
    await clock.sleep(1);
    counts.push(begun());
  }
  expect(counts).toEqual([1, 3, 7, 15]);
});

test('once more are admitted than wait, calls begin as before', async () => {
  const { clock, pacer, key, begun } = pausedWith(1);
  await clock.sleep(5_001);
  Array.from({ length: 7 }, () => pacer.noteAdmitted(key));
  await Promise.all(Array.from({ length: 100 }, () => pacer.waitForTurn(key)));
  expect([begun(), clock.now()]).toEqual([1, 5_001]);
});

test('after a second pause one call begins again', async () => {
  const { clock, pacer, key, begun } = pausedWith(100);
  await clock.sleep(5_001);
  pacer.noteAdmitted(key);
  await clock.sleep(1);
  pacer.pause(key, 5_000);
  await clock.sleep(5_001);
  expect(begun()).toBe(4);
});

test('a call after a pause whose answer does not come holds no other one for ever', async () => {
  const { clock, begun } = pausedWith(3);
  await clock.sleep(60_000);
  expect(begun()).toBe(3);
});
