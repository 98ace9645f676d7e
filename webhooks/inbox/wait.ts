import type { Clock } from '../../common/clock.ts';

/** Wakes everybody who waits whenever something arrives. */
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
const lookMs = 250;

/**
 * Looks at each arrival, and now and then at the clock, for at most `ms` milliseconds. Time in which this process could not
 * look, since it or the machine was busy, does not count: what came meanwhile is read only afterwards.
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
    await Promise.race([arrival.next(), clock.sleep(Math.min(lookMs, left))]);
    left -= Math.min(clock.now() - from, 2 * lookMs);
  }
}
