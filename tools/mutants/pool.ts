import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Job, Told, WorkerData } from './worker.ts';

/** What one trial may take, ms: the longest takes a second where nothing else runs. */
const patienceMs = 30_000;

/** What became of a job. */
export interface Answer {
  readonly killed: boolean;
  /** Trials that ran. */
  readonly ran: number;
  /** The trial that told, or another cause. */
  readonly how: string;
  /** Of trials without a mutant. */
  readonly outcomes: readonly Extract<Told, { kind: 'ran' }>[];
}

/** A thread that does one job after another; where a job hangs, it is ended and the next one gets a new thread. */
export interface Hand {
  do(job: Job): Promise<Answer>;
  end(): Promise<void>;
}

/** A hand on the mutated tree. `data` is what each of its threads starts with. */
export function createHand(folder: string, data: WorkerData): Hand {
  let worker: Worker | null = null;
  const end = async (): Promise<void> => {
    const ending = worker;
    worker = null;
    await ending?.terminate();
  };
  return {
    end,
    async do(job) {
      const fresh = worker === null;
      worker ??= new Worker(join(folder, 'tools/mutants/worker.ts'), { workerData: data, stdout: true, stderr: true });
      const answer = await listen(worker, job, fresh);
      if (answer.how === hangs || answer.how.startsWith(breaks)) {
        await end();
      }
      return answer;
    },
  };
}

const hangs = 'goes on and on';
const breaks = 'breaks the thread';

function listen(worker: Worker, job: Job, fresh: boolean): Promise<Answer> {
  const outcomes: Extract<Told, { kind: 'ran' }>[] = [];
  let loading = fresh;
  return new Promise((resolve) => {
    const settle = (killed: boolean, ran: number, how: string): void => {
      clearTimeout(timer);
      worker.off('message', hear).off('error', broke);
      resolve({ killed, ran, how, outcomes });
    };
    let timer = setTimeout(settle, patienceMs, true, 0, hangs);
    const hear = (told: Told): void => {
      clearTimeout(timer);
      timer = setTimeout(settle, patienceMs, true, outcomes.length, hangs);
      if (told.kind === 'ran') {
        outcomes.push(told);
        if (loading) {
          worker.postMessage(job);
        }
        loading = false;
      } else if (told.kind !== 'begun') {
        settle(told.kind === 'killed', told.ran, told.how);
      }
    };
    const broke = (error: unknown): void => {
      settle(true, outcomes.length, `${breaks}: ${String(error).slice(0, 100)}`);
    };
    worker.on('message', hear).on('error', broke);
    if (!fresh) {
      worker.postMessage(job);
    }
  });
}
