import { expect, test } from 'vitest';
import { createLeapingClock } from '../../../common/leaping-clock.ts';

/** A clock that stands still, as while a test waits. */
const still = { now: () => 1_000, sleep: () => new Promise<void>(() => {}) };

// That waits are skipped, in order, each to its own end: the virtual clock of the proof is such a clock.
test('while work is in progress, the clock does not leap', async () => {
  const clock = createLeapingClock(still);
  const work = Promise.withResolvers<void>();
  const rest = clock.sleep(500);
  const during = clock.during(work.promise);
  for (let turn = 0; turn < 50; turn += 1) {
    await new Promise(setImmediate);
  }
  expect(clock.now()).toBe(1_000);
  work.resolve();
  await Promise.all([during, rest]);
  expect(clock.now()).toBe(1_500);
});
