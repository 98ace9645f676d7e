import type { Reporter } from 'vitest/node';

/** A reporter for `npm run selftest`: the last line, which CI quotes, says how many tests passed and failed. */
export default function tally(): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      const tests = modules.flatMap(({ children }) => [...children.allTests()]);
      const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
      // Such as a file that cannot be loaded, or a hook that throws.
      const errors = modules.flatMap((module) =>
        [module, ...module.children.allSuites()].flatMap((one) => one.errors()),
      );
      const failed = count('failed') + errors.length + unhandled.length;
      process.stdout.write(`\n${count('passed')} passed, ${failed} failed\n`);
    },
  };
}
