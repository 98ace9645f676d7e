import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first, so that none of them is left to run alone at the end. */
const longest = ['proof/prove', 'k6/k6-faults', 'k6/k6-scripts', 'k6/k6-stops', 'e2e/statuses', 'proof/signature'];

/** Their files share the modules that a worker has loaded: nothing in the code keeps state of its own. */
const sharing = ['unit', 'house'];

class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.includes(`/selftest/${name}`));
      return at === -1 ? longest.length : at;
    };
    return Promise.resolve([...files].sort((a, b) => rank(a) - rank(b)));
  }
}

// For the project's own tests (`npm run selftest`, `npm run check`). The suites against a deployment have no configuration
// file: `npm test` gives Vitest everything itself. A project for each folder of selftest/.
export default defineConfig({
  test: {
    pool: 'threads',
    // Node loads the code as it does everywhere else, which takes a tenth less than Vite's modules. No test mocks one.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // One more than the two cores it is meant for: the tests with real k6 spend most of their time waiting for windows to end.
    maxWorkers: Math.max(3, Math.ceil(availableParallelism() * 0.75)),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['selftest/scratch.ts'],
    sequence: { sequencer: LongestFirst },
    projects: ['unit', 'house', 'proof', 'e2e', 'k6'].map((name) => ({
      extends: true as const,
      test: { name, isolate: !sharing.includes(name), include: [`selftest/${name}/**/*.test.ts`] },
    })),
  },
});
