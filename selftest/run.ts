import { type CliOptions, createCLI, type Reporter, startVitest } from 'vitest/node';

/**
 * `npm run selftest [-- any option or file filter of Vitest]` runs the project's own tests. The last line says how many
 * passed and failed. The exit status is 0 if tests ran and all of them passed, and 1 otherwise.
 */
let passed = 0;
let failed = 0;

const counter: Reporter = {
  onTestCaseResult(test) {
    const { state } = test.result();
    if (state === 'passed') {
      passed += 1;
    }
    if (state === 'failed') {
      failed += 1;
    }
  },
  // Such as a file that cannot be loaded, a hook that throws, or an unhandled rejection.
  onTestModuleEnd(module) {
    failed += module.errors().length;
  },
  onTestSuiteResult(suite) {
    failed += suite.errors().length;
  },
  onTestRunEnd(_modules, unhandled) {
    failed += unhandled.length;
  },
};

const cli = createCLI();
const { args, options } = cli.parse(['node', 'vitest', 'run', ...process.argv.slice(2)], { run: false });
if (options.help === true) {
  process.exit(0);
}
try {
  cli.matchedCommand?.checkUnknownOptions();
} catch (error) {
  process.stderr.write(`Cannot use the command line: ${(error as Error).message}; see npm run selftest -- --help\n`);
  process.exit(2);
}
const { reporter = 'default', ...rest } = options as CliOptions & { reporter?: string | string[] };
await startVitest('test', [...args], { ...rest, watch: false, reporters: [...[reporter].flat(), counter] });

process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(passed > 0 && failed === 0 && !process.exitCode ? 0 : 1);
