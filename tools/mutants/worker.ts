import { parentPort } from 'node:worker_threads';
import type { Job } from '../../selftest/proof/row.ts';

/** A job of the proof, to be done with a mutant, or without one. */
export interface Trial {
  readonly job: Job;
  readonly mutant: number | null;
}

export interface Told {
  /** The rows of the proof: equal if, and only if, it notices no difference. */
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
const { rowsFor } = await import('../../selftest/proof/row.ts');
tell('loaded');

parentPort?.on('message', ({ job, mutant }: Trial) => {
  [passed, stray, active] = [new Set(), '', String(mutant ?? '')];
  rowsFor(job).then(
    (rows) => tell(stray || JSON.stringify(rows)),
    (error: unknown) => tell(`broken ${String(error)}`),
  );
});
