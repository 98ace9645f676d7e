import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Tree } from './instrument.ts';
import type { Job, Told } from './worker.ts';

/** The most CPU time that one trial may take, in ms; the most expensive one takes two seconds. */
const mostCpuMs = 10_000;
/** After how many seconds without CPU a thread counts as stuck. */
const idleSeconds = 10;

/**
 * Runs trials on the mutated tree, one after the other. If a trial hangs, its thread is ended, and the next trial gets
 * a new one.
 */
export interface Runner {
  /** Which mutants' places are executed while the modules load: 1 at the mutants' numbers. */
  load(): Promise<Uint8Array>;
  run(job: Job): Promise<Told>;
  end(): Promise<void>;
}

const nothing = { passed: new Uint8Array(), cpuMs: 0 };

/** The next message of a thread; an outcome too if the thread hangs or breaks. */
const nextOf = (worker: Worker): Promise<Told> =>
  new Promise((resolve) => {
    const settle = (result: Told): void => {
      clearInterval(watch);
      worker.off('message', settle).off('error', broke);
      resolve(result);
    };
    const broke = (error: unknown): void => {
      settle({ outcome: `breaks the thread ${String(error)}`, ...nothing });
    };
    const watch = watchHangs(worker, () => settle({ outcome: 'goes on and on', ...nothing }));
    worker.on('message', settle).on('error', broke);
  });

/** Checks each second what a thread did, by its CPU time, since the machine may be busy with other things. */
function watchHangs(worker: Worker, hangs: () => void): NodeJS.Timeout {
  const used: number[] = [];
  return setInterval(() => {
    void worker.cpuUsage().then(({ user, system }) => {
      const now = (user + system) / 1000;
      used.push(now);
      const before = used.at(-1 - idleSeconds);
      if (now - (used[0] ?? now) > mostCpuMs || (before !== undefined && now - before < 1)) {
        hangs();
      }
    }, hangs);
  }, 1_000);
}

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
      const thread = worker as Worker | null;
      thread?.postMessage(job);
      const result = thread === null ? { outcome: 'cannot be loaded', ...nothing } : await nextOf(thread);
      if (/^(goes on|breaks)/.test(result.outcome)) {
        await end();
      }
      return result;
    },
    end,
  };
}

/** Processes a list with several runners. Returns the results in the order of the list. */
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
