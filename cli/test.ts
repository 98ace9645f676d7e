import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { withoutDebug } from './without-debug.ts';

withoutDebug();

/** Until the run handles signals itself: nothing was sent, and a gate must not take the shell's 130 for an outcome. */
let isLoading = true;
function stopEarly(): void {
  if (!isLoading) {
    return;
  }
  process.stderr.write('Stopped before anything was sent: run it again\n');
  process.exit(2);
}
// They stay: taking the last one away would lose a signal that came while this process was busy loading.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, stopEarly);
}

// Loading is a good part of a short run; compiled once, it is halved from then on.
enableCompileCache(resolve(import.meta.dirname, '../node_modules/.cache/compiled'));

/** `npm test`. A suite that cannot even be loaded must not look like a deployment that failed: that would be status 1. */
try {
  const { runTests } = await import('./test/run-tests.ts');
  isLoading = false;
  process.exit(await runTests(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(
    `The suite itself broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(2);
}
