/** Eight times the input may take so many times as long: a quadratic reader takes 64. Shorter runs tell nothing. */
export const [factor, most] = [8, 32];
const leastMs = 16;

/** The shortest of a few runs: ms that this thread worked, whatever else the machine does. */
function timeOf(work: () => unknown): number {
  const times = [1, 2].map(() => {
    const before = process.threadCpuUsage();
    try {
      work();
    } catch {
      // Refused in words: see readers.test.ts.
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** How much longer eight times as much takes: the least of a few attempts, since others disturb; 1 where it cannot be told. */
export function growthOf<T>(read: (input: T) => unknown, small: T, large: T): number {
  let least = Infinity;
  for (let attempt = 1; attempt <= 4 && least > most; attempt += 1) {
    const [before, after] = [timeOf(() => read(small)), timeOf(() => read(large))];
    least = Math.min(least, after < leastMs ? 1 : after / Math.max(before, leastMs / factor));
  }
  return least;
}
