import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files start first; started last, one would run alone at the end while other workers idle. */
const longest = ['proof/prove', 'k6/scripts', 'k6/command', 'e2e/stopped', 'e2e/statuses'];

class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.includes(`/selftest/${name}`));
      return at === -1 ? longest.length : at;
    };
    return Promise.resolve([...files].sort((a, b) => rank(a) - rank(b)));
  }
}

// For the project's own tests (`npm run selftest`, `npm run check`), with one Vitest project for each folder of
// selftest/. The suites that judge a deployment do not use this file: `npm test` configures Vitest in code.
export default defineConfig({
  test: {
    pool: 'threads',
    // Files share a worker's loaded modules, which is faster. It is safe because no module of the project keeps state.
    isolate: false,
    // Node loads the modules itself, as in production; that is a tenth faster than Vite's module runner, which only
    // tests that mock modules would need.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // At least three workers even on two cores: the tests that run k6 mostly wait for rate-limit windows to end.
    maxWorkers: Math.max(3, Math.ceil(availableParallelism() * 0.75)),
    hookTimeout: 60_000,
    globalSetup: ['selftest/scratch.ts'],
    sequence: { sequencer: LongestFirst },
    projects: ['unit', 'house', 'proof', 'robust', 'e2e', 'k6'].map((name) => ({
      extends: true as const,
      test: {
        name,
        include: [`selftest/${name}/**/*.test.ts`],
        testTimeout: ['e2e', 'k6'].includes(name) ? 120_000 : 60_000,
      },
    })),
  },
});
