/** Where a part of the suite gets its time from; tests give it a virtual one. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after that many milliseconds of this clock; at once where that is not positive. */
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms) =>
    ms > 0
      ? new Promise((resolve) => {
          setTimeout(resolve, ms);
        })
      : Promise.resolve(),
};
