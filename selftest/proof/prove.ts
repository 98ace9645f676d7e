import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Job, Row } from './row.ts';

/** The longest that a thread may take for one answer. */
const mostMs = 120_000;

/**
 * Gives a list to as many threads that run `script` as there are cores, one thing at a time, and returns their answers in
 * its order. `broken` answers for a thread that breaks or takes too long; it may throw. `onAnswer` gets how many are done.
 */
export async function inThreads<R>(
  script: URL,
  list: readonly unknown[],
  broken: (error: unknown) => R,
  onAnswer: (done: number) => void = () => {},
): Promise<R[]> {
  const answers: R[] = [];
  const queue = list.entries();
  let done = 0;
  const drive = async (): Promise<void> => {
    let worker = new Worker(script);
    for (const [number, one] of queue) {
      worker.postMessage(one);
      try {
        [answers[number]] = (await once(worker, 'message', { signal: AbortSignal.timeout(mostMs) })) as [R];
      } catch (error) {
        answers[number] = broken(error);
        await worker.terminate();
        worker = new Worker(script);
      }
      onAnswer((done += 1));
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(list.length, availableParallelism()) }, drive));
  return answers;
}

/** Runs jobs on threads of plain Node: with Vitest's modules they would take twice as long. Rejects if one breaks. */
export const prove = (jobs: readonly Job[], onRow?: (done: number) => void): Promise<readonly Row[]> =>
  inThreads<Row>(
    new URL('worker.ts', import.meta.url),
    jobs,
    (error) => {
      throw error;
    },
    onRow,
  );
