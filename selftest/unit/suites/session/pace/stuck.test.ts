import { expect, test } from 'vitest';
import { keyOf, openPacer } from './open-pacer.ts';

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
