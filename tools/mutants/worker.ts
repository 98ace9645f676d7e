import { parentPort } from 'node:worker_threads';
import type { Job } from '../../selftest/proof/row.ts';

/** Jobs of the proof, to be done with a mutant, or without one, until one shows another outcome than its own. */
export interface Attempt {
  readonly mutant: number | null;
  readonly trials: readonly { readonly job: Job; readonly outcome?: string }[];
}

/** What a trial showed. */
export interface Told {
  /** The row of the proof: equal if, and only if, it notices no difference. */
  readonly outcome: string;
  /** The numbers of the mutants whose places were executed, without those that are while modules load. */
  readonly passed: ReadonlySet<number>;
}

let passed = new Set<number>();
let active = '';
let stray = '';

// The functions that instrumented code calls: whether a mutant is on, and that places of mutants are executed.
Object.assign(globalThis, {
  stryMutAct_9fa48: (number: string): boolean => number === active,
  stryCov_9fa48: (...numbers: string[]): void => {
    for (const number of numbers) {
      passed.add(Number(number));
    }
  },
});
process.on('unhandledRejection', (error) => {
  stray = `stray ${String(error)}`;
});
const { rowOf } = await import('../../selftest/proof/row.ts');
const whileLoading = passed;

parentPort?.on('message', async ({ mutant, trials }: Attempt) => {
  active = String(mutant ?? '');
  const told: Told[] = [];
  for (const { job, outcome: usual } of trials) {
    [passed, stray] = [new Set(), ''];
    const row = await rowOf(job).then(JSON.stringify, (error: unknown) => `broken ${String(error)}`);
    const outcome = stray || row;
    told.push({ outcome, passed: new Set([...passed].filter((number) => !whileLoading.has(number))) });
    if (outcome !== usual) {
      break;
    }
  }
  parentPort?.postMessage(told);
});
