import { endWith, explain, refuseDebug } from './command.ts';
// Loaded first, since it notes whose child this process is.
import './signals.ts';

refuseDebug();

/**
 * Until the run handles signals itself, they end it with 2: nothing was sent, and the usual 130 is no exit status of
 * ours. The handlers are never removed: a signal that came while this process was busy loading would be lost.
 */
let isLoading = true;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (isLoading) {
      process.stderr.write('Stopped before anything was sent: run it again\n');
      process.exit(2);
    }
  });
}

/**
 * `npm test`. If the suite cannot be loaded, Node would end with 1, which means that the deployment failed; hence the
 * 2.
 */
try {
  const { runTests } = await import('./test/run-tests.ts');
  isLoading = false;
  endWith(await runTests(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(2);
}
