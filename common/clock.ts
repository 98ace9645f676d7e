import { setTimeout } from 'node:timers/promises';

/** The source of time for all parts of the suite; tests pass a virtual one. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after that many milliseconds of this clock; at once if they are not positive. */
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms) => (ms > 0 ? setTimeout(ms) : Promise.resolve()),
};
