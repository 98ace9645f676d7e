import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../virtual-clock.ts';

test('sleepers wake in order of their due times, each at its own time', async () => {
  const clock = createVirtualClock(1000);
  const woken: string[] = [];
  const sleeper = async (name: string, ms: number): Promise<void> => {
    await clock.sleep(ms);
    woken.push(`${name} at ${clock.now()}`);
  };
  await Promise.all([sleeper('c', 300), sleeper('a', 100), sleeper('b', 100), sleeper('z', 0), sleeper('y', -5)]);
  expect(woken).toEqual(['z at 1000', 'y at 1000', 'a at 1100', 'b at 1100', 'c at 1300']);
  expect(clock.jumps).toBe(2);
});

test('time stands still while any code runs', async () => {
  const clock = createVirtualClock(0);
  const late = clock.sleep(10_000).then(() => clock.now());
  for (let i = 0; i < 50; i += 1) {
    await new Promise((resolve) => {
      process.nextTick(resolve);
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(clock.now()).toBe(i);
    await clock.sleep(1);
  }
  expect(clock.now()).toBe(50);
  expect(await late).toBe(10_000);
});

test('a sleep set by one that wakes is due after those set earlier for the same time', async () => {
  const clock = createVirtualClock(0);
  const woken: string[] = [];
  const first = clock.sleep(10).then(async () => {
    await clock.sleep(10);
    woken.push('set late');
  });
  await Promise.all([
    first,
    clock.sleep(20).then(() => {
      woken.push('set early');
    }),
  ]);
  expect(woken).toEqual(['set early', 'set late']);
});

test('an endless sleep never wakes and keeps nothing running', async () => {
  const clock = createVirtualClock(0);
  void clock.sleep(Infinity).then(() => {
    throw new Error('woken');
  });
  await clock.sleep(5);
  expect([clock.now(), clock.jumps]).toEqual([5, 1]);
});

test('a hundred thousand jumps are made', async () => {
  const clock = createVirtualClock(0);
  const worker = async (): Promise<void> => {
    for (let i = 0; i < 10_000; i += 1) {
      await clock.sleep((i % 7) + 1);
    }
  };
  await Promise.all(Array.from({ length: 40 }, worker));
  expect(clock.jumps).toBeGreaterThan(9_999);
});
