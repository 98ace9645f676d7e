/** Runs a task when fewer than the given number are running, in the order of asking. */
export type Semaphore = <T>(task: () => Promise<T>) => Promise<T>;

export function createSemaphore(most: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= most) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The place is passed on, so that nobody who comes later overtakes.
      if (next) {
        next();
      } else {
        running -= 1;
      }
    }
  };
}
