/** Runs a task as soon as there is room for it; tasks start in the order in which they were given. */
type Semaphore = <T>(task: () => Promise<T>) => Promise<T>;

/** A semaphore that runs `most` tasks at a time. */
export function createSemaphore(most: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= most) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The next in line takes over this place: a task that arrives meanwhile cannot overtake it.
      if (next) {
        next();
      } else {
        running -= 1;
      }
    }
  };
}
