import { endWith, explain, refuseDebug } from './command.ts';

refuseDebug();

/**
 * `npm test`. If the suite cannot be loaded, Node would end with 1, which means that the deployment failed; hence the
 * 2.
 */
try {
  const { runTests } = await import('./test/run-tests.ts');
  endWith(await runTests(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(2);
}
