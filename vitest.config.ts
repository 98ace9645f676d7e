import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// For the project's own tests (`npm run selftest`, `vitest run selftest/kit`). The suites against a deployment have no
// configuration file: suites/run.ts gives Vitest everything itself.
export default defineConfig({
  test: {
    include: ['selftest/**/*.test.ts'],
    pool: 'threads',
    // One more than the two cores it is meant for: the tests with real k6 spend most of their time waiting for windows to end.
    maxWorkers: Math.max(3, Math.ceil(availableParallelism() * 0.75)),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
