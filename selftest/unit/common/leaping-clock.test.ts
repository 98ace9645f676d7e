import { expect, test } from 'vitest';
import { createLeapingClock } from '../../../common/leaping-clock.ts';

/** Time that a test moves by hand. */
function handClock() {
  let time = 1_000;
  const sleepers: { due: number; wake: () => void }[] = [];
  return {
    now: () => time,
    sleep: (ms: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ due: time + ms, wake });
      }),
    pass(ms: number): void {
      time += ms;
      for (const { due, wake } of sleepers) {
        if (due <= time) {
          wake();
        }
      }
    },
  };
}

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
};

test('waits are skipped, in order, each to its own end', async () => {
  const clock = createLeapingClock(handClock());
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

test('while work is in progress, time passes at its usual pace', async () => {
  const real = handClock();
  const clock = createLeapingClock(real);
  const { promise, resolve } = Promise.withResolvers<string>();
  let rested = false;
  const rest = clock.sleep(500).then(() => {
    rested = true;
  });
  const work = clock.during(promise);
  await turns(50);
  expect([rested, clock.now()]).toEqual([false, 1_000]);
  real.pass(499);
  await turns(50);
  expect([rested, clock.now()]).toEqual([false, 1_499]);
  resolve('done');
  expect(await work).toBe('done');
  await rest;
  expect(clock.now()).toBe(1_500);
});
