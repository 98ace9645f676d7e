import { parentPort } from 'node:worker_threads';
import type { Trial } from './trials.ts';

/** A trial, to be run with a mutant, or without one. */
export interface Job {
  readonly trial: Trial;
  readonly mutant: number | null;
}

export interface Told {
  readonly outcome: string;
  /** The numbers of the mutants whose places were executed; while the modules load, in the first message. */
  readonly passed: ReadonlySet<number>;
}

let passed = new Set<number>();
let active = '';

// The functions that instrumented code calls: whether a mutant is on, and that places of mutants are executed.
Object.assign(globalThis, {
  stryMutAct_9fa48: (number: string): boolean => number === active,
  stryCov_9fa48: (...numbers: string[]): void => {
    for (const number of numbers) {
      passed.add(Number(number));
    }
  },
});

const tell = (outcome: string): void => parentPort?.postMessage({ outcome, passed } satisfies Told);

let stray = '';
process.on('unhandledRejection', (error) => {
  stray = `stray ${String(error)}`;
});
const { outcomeOf } = await import('./trials.ts');
tell('loaded');

parentPort?.on('message', ({ trial, mutant }: Job) => {
  [passed, stray, active] = [new Set(), '', String(mutant ?? '')];
  outcomeOf(trial).then(
    (outcome) => tell(stray || outcome),
    (error: unknown) => tell(`broken ${String(error)}`),
  );
});
