/**
 * Eight times the input may take so many times as long; a quadratic reader takes 64 times. Shorter runs prove nothing.
 */
export const [factor, most] = [8, 32];
const leastMs = 16;

/**
 * The CPU time of this thread in the shortest of a few runs, in ms, which does not depend on other work of the machine.
 */
function timeOf(work: () => unknown): number {
  const times = [1, 2].map(() => {
    const before = process.threadCpuUsage();
    try {
      work();
    } catch {
      // Refused with a message: see readers.test.ts.
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/**
 * How many times longer eight times the input takes: the least of a few attempts, 1 if they are too short to compare.
 */
export function growthOf<T>(read: (input: T) => unknown, small: T, large: T): number {
  let least = Infinity;
  for (let attempt = 1; attempt <= 4 && least > most; attempt += 1) {
    const [before, after] = [timeOf(() => read(small)), timeOf(() => read(large))];
    least = Math.min(least, after < leastMs ? 1 : after / Math.max(before, leastMs / factor));
  }
  return least;
}
