import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Tree } from './tree.ts';
import type { Job, Told } from './worker.ts';

/** The longest that one trial may take; the most expensive one takes two seconds of a processor. */
const mostMs = 60_000;

/**
 * Runs trials on the mutated tree, one after the other. If a trial hangs, its thread is ended, and the next trial gets
 * a new one.
 */
export interface Runner {
  /** The mutants whose places are executed while the modules load, before one can be switched on. */
  load(): Promise<ReadonlySet<number>>;
  run(job: Job): Promise<Told>;
  end(): Promise<void>;
}

/** The next message of a thread; an outcome too if the thread hangs or breaks. */
const nextOf = (worker: Worker): Promise<Told> =>
  new Promise((resolve) => {
    const settle = (told: Told): void => {
      clearTimeout(timer);
      worker.off('message', settle).off('error', breaks);
      resolve(told);
    };
    const breaks = (error: unknown): void =>
      settle({ outcome: `ends the thread: ${String(error)}`, passed: new Set(), cpuMs: 0 });
    const timer = setTimeout(() => breaks('it goes on and on'), mostMs);
    worker.on('message', settle).on('error', breaks);
  });

export function createRunner({ folder }: Tree): Runner {
  let worker: Worker | null = null;
  const start = async (): Promise<Told> => {
    worker = new Worker(join(folder, 'tools/mutants/worker.ts'), { stdout: true, stderr: true });
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
      const thread = worker as unknown as Worker;
      thread.postMessage(job);
      const told = await nextOf(thread);
      if (told.outcome.startsWith('ends the thread')) {
        await end();
      }
      return told;
    },
    end,
  };
}
