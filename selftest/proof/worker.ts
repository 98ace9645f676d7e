import { enableCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

// Beside the proof, the selftest runs k6, which depends on real time and gets the processor first. With a still lower
// priority, most of the proof would be left when everything else has ended.
if (process.env.VITEST !== undefined) {
  setPriority(5);
}
enableCompileCache('node_modules/.cache/proof');

const { rowOf } = await import('./row.ts');

parentPort?.on('message', (job: Parameters<typeof rowOf>[0]) => {
  rowOf(job).then(
    (row) => parentPort?.postMessage(row),
    (error: unknown) => {
      throw new Error(`Cannot run ${JSON.stringify(job)}`, { cause: error });
    },
  );
});
