import { expect, test } from 'vitest';
import type { ApiKey } from '../../../../../suites/session/key.ts';
import { createPacer, type Pacer } from '../../../../../suites/session/pace/pacer.ts';
import { createVirtualClock, type VirtualClock } from '../../../../virtual-clock.ts';

const key: ApiKey = { secret: 'a', label: 'a', environment: 'sandbox', origin: 'own' };

/** A pacer whose key was told to pause for 5 s, and calls that wait; `begun` says how many of these have begun. */
function pausedWith(waiting: number): { clock: VirtualClock; pacer: Pacer; begun: () => number } {
  const clock = createVirtualClock(0);
  const pacer = createPacer({ clock, keysShareBudget: false, clockSpeed: 1, perMinute: () => 1_000 });
  pacer.pause(key, 5_000);
  let begun = 0;
  for (let call = 0; call < waiting; call += 1) {
    void pacer.waitForTurn(key).then(() => {
      begun += 1;
    });
  }
  return { clock, pacer, begun: () => begun };
}

test('after a pause one call begins, then two for each that is admitted', async () => {
  const { clock, pacer, begun } = pausedWith(100);
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
  const { clock, pacer, begun } = pausedWith(1);
  await clock.sleep(5_001);
  Array.from({ length: 7 }, () => pacer.noteAdmitted(key));
  await Promise.all(Array.from({ length: 100 }, () => pacer.waitForTurn(key)));
  expect([begun(), clock.now()]).toEqual([1, 5_001]);
});

test('after a second pause one call begins again', async () => {
  const { clock, pacer, begun } = pausedWith(100);
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
