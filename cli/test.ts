import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { withoutDebug } from './without-debug.ts';

withoutDebug();

// Loading is a good part of a short run; compiled once, it is halved from then on.
enableCompileCache(resolve(import.meta.dirname, '../node_modules/.cache/compiled'));

/** `npm test`. A suite that cannot even be loaded must not look like a deployment that failed: that would be status 1. */
try {
  const { runTests } = await import('./test/run-tests.ts');
  process.exit(await runTests(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(
    `The suite itself broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(2);
}
