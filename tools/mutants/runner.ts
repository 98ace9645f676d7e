import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Tree } from './instrument.ts';
import type { Job, Told } from './worker.ts';

/** What one trial may take, ms: the longest takes two seconds where nothing else runs. */
const patienceMs = 20_000;

/** Runs trials on the mutated tree, one after the other; where one hangs, its thread is ended and the next gets a new one. */
export interface Runner {
  /** Places that are passed while the modules load. */
  load(): Promise<readonly number[]>;
  run(job: Job): Promise<Told & { readonly ms: number }>;
  end(): Promise<void>;
}

/** The next message of a thread; that it takes too long or breaks is an outcome, too. */
const nextOf = (worker: Worker): Promise<Told> =>
  new Promise((resolve) => {
    const settle = (told: Told): void => {
      clearTimeout(timer);
      worker.off('message', settle).off('error', broke);
      resolve(told);
    };
    const broke = (error: unknown): void => {
      settle({ outcome: `breaks the thread ${String(error)}`, passed: [] });
    };
    const timer = setTimeout(settle, patienceMs, { outcome: 'goes on and on', passed: [] });
    worker.on('message', settle).on('error', broke);
  });

export function createRunner({ folder, mutants }: Tree): Runner {
  const size = Math.max(0, ...mutants.map(({ number }) => number)) + 1;
  let worker: Worker | null = null;
  const start = async (): Promise<Told> => {
    worker = new Worker(join(folder, 'tools/mutants/worker.ts'), {
      workerData: { size },
      stdout: true,
      stderr: true,
    });
    return nextOf(worker);
  };
  const end = async (): Promise<void> => {
    await worker?.terminate();
    worker = null;
  };
  return {
    async load() {
      await end();
      return (await start()).passed;
    },
    async run(job) {
      if (worker === null) {
        await start();
      }
      const began = performance.now();
      const thread = worker as Worker | null;
      thread?.postMessage(job);
      const told = thread === null ? { outcome: 'cannot be loaded', passed: [] } : await nextOf(thread);
      if (/^(goes on|breaks)/.test(told.outcome)) {
        await end();
      }
      return { ...told, ms: performance.now() - began };
    },
    end,
  };
}

/** Does the work of a list with several runners; the results in its order. */
export async function share<T, R>(
  runners: readonly Runner[],
  list: readonly T[],
  work: (runner: Runner, item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  await Promise.all(
    runners.map(async (runner) => {
      for (let index = next++; index < list.length; index = next++) {
        results[index] = await work(runner, list[index] as T);
      }
    }),
  );
  return results;
}
