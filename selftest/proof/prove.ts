import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ChoiceRow } from './choice-row.ts';
import type { FaultRow } from './fault-row.ts';
import type { Job, rowsFor } from './jobs.ts';

/** The results for some faults and correct deployments. */
export interface Proven {
  /** One row for each run that a fault had on the plain reference. */
  readonly faults: readonly FaultRow[];
  /** Faults on deployments with other choices. */
  readonly crossed: readonly FaultRow[];
  readonly deployments: readonly ChoiceRow[];
}

type Rows = Awaited<ReturnType<typeof rowsFor>>;

/**
 * Runs jobs on as many threads of plain Node as there are cores (with Vitest's modules they would take twice as long).
 * `onRow` gets how many are done. Rejects if a thread breaks.
 */
export async function prove(jobs: readonly Job[], onRow: (done: number) => void = () => {}): Promise<Proven> {
  const rowsOf: Rows[] = [];
  let [next, done] = [0, 0];
  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('worker.ts', import.meta.url));
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
      worker.on('message', ({ number, rows }: { number: number; rows: Rows }) => {
        rowsOf[number] = rows;
        onRow((done += 1));
        give();
      });
      give();
    });
  await Promise.all(Array.from({ length: Math.min(jobs.length, availableParallelism()) }, drive));
  const rows = rowsOf.flat();
  const faultRows = rows.filter((row): row is FaultRow => 'missed' in row);
  return {
    faults: faultRows.filter(({ deployment }) => deployment === undefined),
    crossed: faultRows.filter(({ deployment }) => deployment !== undefined),
    deployments: rows.filter((row): row is ChoiceRow => 'alarms' in row),
  };
}
