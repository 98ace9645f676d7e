import { parentPort, workerData } from 'node:worker_threads';
import type { Trial } from './trials.ts';

/** A trial, to be run with a mutant; if `mutant` is null, without one, and the places that it executes are recorded. */
export interface Job {
  readonly trial: Trial;
  readonly mutant: number | null;
}

export interface Told {
  readonly outcome: string;
  /** 1 at the numbers of the mutants whose places were executed. */
  readonly passed: Uint8Array;
  /** CPU time of the trial in this thread, in ms, which does not depend on how busy the machine is. */
  readonly cpuMs: number;
}

const { size } = workerData as { readonly size: number };
const passed = new Uint8Array(size);
let active = '';

// The functions that instrumented code calls: whether a mutant is on, and that places of mutants are executed.
Object.assign(globalThis, {
  stryMutAct_9fa48: (number: string): boolean => number === active,
  stryCov_9fa48: (...numbers: string[]): void => {
    for (const number of numbers) {
      passed[Number(number)] = 1;
    }
  },
});

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let cpuBefore = 0;

const tell = (outcome: string): void => {
  parentPort?.postMessage({ outcome, passed, cpuMs: cpuMs() - cpuBefore } satisfies Told);
};

let stray: unknown;
process.on('unhandledRejection', (error) => {
  stray = error;
});

const { outcomeOf } = await import('./trials.ts');
tell('loaded');

parentPort?.on('message', ({ trial, mutant }: Job) => {
  passed.fill(0);
  stray = undefined;
  cpuBefore = cpuMs();
  active = mutant === null ? '' : String(mutant);
  outcomeOf(trial).then(
    (outcome) => tell(stray === undefined ? outcome : `stray ${String(stray)}`),
    (error: unknown) => tell(`broken ${String(error)}`),
  );
});
