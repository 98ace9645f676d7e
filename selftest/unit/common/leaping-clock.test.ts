import { expect, test } from 'vitest';
import { createLeapingClock } from '../../../common/leaping-clock.ts';

/** A clock that stands still, as while a test waits. */
const still = { now: () => 1_000, sleep: () => new Promise<void>(() => {}) };

test('waits are skipped, in order, each to its own end', async () => {
  const clock = createLeapingClock(still);
  const woken: string[] = [];
  const sleeper = async (name: string, ms: number): Promise<void> => {
    await clock.sleep(ms);
    woken.push(`${name} at ${clock.now()}`);
  };
  await Promise.all([
    sleeper('day', 86_400_000),
    sleeper('minute', 60_000),
    sleeper('none', 0),
    sleeper('month', 31 * 86_400_000),
  ]);
  expect(woken).toEqual(['none at 1000', 'minute at 61000', 'day at 86401000', 'month at 2678401000']);
});

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
