import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Job } from './matrix-worker.ts';

/** Runs jobs on as many threads as there are cores; the rows in the order of the jobs. Rejects when a worker breaks. */
export async function runJobs(jobs: readonly Job[], onRow: (done: number) => void): Promise<unknown[]> {
  const rows: unknown[] = [];
  let [next, done] = [0, 0];
  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('matrix-worker.ts', import.meta.url));
      const give = (): void => {
        const job = jobs[next];
        if (job === undefined) {
          worker.terminate().then(() => {
            resolve();
          }, reject);
          return;
        }
        worker.postMessage({ number: next, job });
        next += 1;
      };
      worker.on('error', reject);
      worker.on('message', ({ number, row }: { number: number; row: unknown }) => {
        rows[number] = row;
        onRow((done += 1));
        give();
      });
      give();
    });
  await Promise.all(Array.from({ length: availableParallelism() }, drive));
  return rows;
}
