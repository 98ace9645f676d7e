import type { Clock } from '../common/clock.ts';
import { createLeapingClock } from '../fixtures/leaping-clock.ts';

/** An arbitrary time in the middle of a minute, so that tests do not depend on its start. */
const anyMoment = Date.UTC(2026, 2, 14, 9, 26, 53, 589);

const never = (): Promise<never> => new Promise(() => {});

/**
 * A clock on which waiting takes no real time, and nothing else takes any: it only leaps, when all code waits for it. It
 * notices promises, `nextTick` and `setImmediate`, but not sockets, worker threads and the thread pool, which tests on
 * this clock must not use. It starts at `start`, in epoch milliseconds; a sleep without end does not end.
 */
export function createVirtualClock(start: number = anyMoment): Clock {
  const { now, sleep } = createLeapingClock({ now: () => start, sleep: never });
  return { now, sleep: (ms) => (ms === Infinity ? never() : sleep(ms)) };
}
