import type { Clock } from '../../common/clock.ts';

/** Wakes all who wait for the next arrival. */
interface Signal {
  notify(): void;
  next(): Promise<void>;
}

export function createSignal(): Signal {
  let { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    notify() {
      resolve(undefined);
      ({ promise, resolve } = Promise.withResolvers<undefined>());
    },
    next: () => promise,
  };
}

/** How often a waiting reader looks at the clock. */
const pollMs = 250;

/**
 * Calls `find` after each arrival until it finds something, for at most `ms`. Time in which the process or the machine
 * was too busy does not count, since requests that came meanwhile are read only afterwards.
 */
export async function waitFor<T>(
  find: () => T | undefined,
  { clock, arrival, ms }: { clock: Clock; arrival: Signal; ms: number },
): Promise<T | undefined> {
  for (let left = ms; ; ) {
    const found = find();
    if (found !== undefined || left <= 0) {
      return found;
    }
    const from = clock.now();
    await Promise.race([arrival.next(), clock.sleep(Math.min(pollMs, left))]);
    left -= Math.min(clock.now() - from, 2 * pollMs);
  }
}
