import { defineConfig } from 'vitest/config';

// For the project's own tests (`npm run selftest`, `vitest run selftest/kit`). The suites against a deployment have no
// configuration file: suites/run.ts gives Vitest everything itself.
export default defineConfig({
  test: {
    include: ['selftest/**/*.test.ts'],
    pool: 'threads',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
