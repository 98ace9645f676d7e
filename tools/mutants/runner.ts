import { once } from 'node:events';
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

const ended = 'ends the thread';

/** The next message of a thread; an outcome too if the thread hangs or breaks. */
const nextOf = async (worker: Worker): Promise<Told> => {
  try {
    const [told] = (await once(worker, 'message', { signal: AbortSignal.timeout(mostMs) })) as [Told];
    return told;
  } catch (error) {
    return { outcome: `${ended}: ${String(error)}`, passed: new Set() };
  }
};

export function createRunner({ folder }: Tree): Runner {
  let worker: Worker | null = null;
  const start = async (): Promise<{ readonly thread: Worker; readonly told: Told }> => {
    const thread = new Worker(join(folder, 'tools/mutants/worker.ts'), { stdout: true, stderr: true });
    worker = thread;
    return { thread, told: await nextOf(thread) };
  };
  const end = async (): Promise<void> => {
    await worker?.terminate();
    worker = null;
  };
  return {
    end,
    load: async () => (await start()).told.passed,
    async run(job) {
      const thread = worker ?? (await start()).thread;
      thread.postMessage(job);
      const told = await nextOf(thread);
      if (told.outcome.startsWith(ended)) {
        await end();
      }
      return told;
    },
  };
}
