import { enableCompileCache } from 'node:module';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

// Tests with real k6 run at the same time and depend on real time, so they get the processor first.
setPriority(constants.priority.PRIORITY_LOW);
enableCompileCache('node_modules/.cache/proof');

const { rowsFor } = await import('./row.ts');

parentPort?.on('message', ({ number, job }: { number: number; job: Parameters<typeof rowsFor>[0] }) => {
  rowsFor(job).then(
    (rows) => parentPort?.postMessage({ number, rows }),
    (error: unknown) => {
      throw new Error(`Cannot run ${JSON.stringify(job)}`, { cause: error });
    },
  );
});
