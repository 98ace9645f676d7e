import { enableCompileCache } from 'node:module';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

// Tests with real k6 run at the same time and depend on real time, so they get the processor first.
setPriority(constants.priority.PRIORITY_LOW);
enableCompileCache('node_modules/.cache/proof');

const { rowFor } = await import('./row.ts');

parentPort?.on('message', ({ number, job }: { number: number; job: Parameters<typeof rowFor>[0] }) => {
  rowFor(job).then(
    (row) => parentPort?.postMessage({ number, row }),
    (error: unknown) => {
      throw new Error(`Cannot run ${JSON.stringify(job)}`, { cause: error });
    },
  );
});
