import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Job, Row } from './row.ts';

/**
 * Runs jobs on as many threads of plain Node as there are cores (with Vitest's modules they would take twice as long).
 * `onRow` gets how many are done. Rejects if a thread breaks.
 */
export async function prove(jobs: readonly Job[], onRow: (done: number) => void = () => {}): Promise<readonly Row[]> {
  const rows: (readonly Row[])[] = [];
  const queue = jobs.entries();
  let done = 0;
  const drive = async (): Promise<void> => {
    const worker = new Worker(new URL('worker.ts', import.meta.url));
    for (const [number, job] of queue) {
      worker.postMessage(job);
      rows[number] = ((await once(worker, 'message')) as [readonly Row[]])[0];
      onRow((done += 1));
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(jobs.length, availableParallelism()) }, drive));
  return rows.flat();
}
