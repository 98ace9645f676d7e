import { parentPort, workerData } from 'node:worker_threads';
import type { Api } from '../../contract/clause.ts';
import type { Verdict } from '../../results/verdict.ts';
import { lateSwitches } from './late.ts';
import type { Trial } from './trial.ts';

/** What a worker knows from its start. */
export interface WorkerData {
  /** A mutant that is switched on before anything is loaded: some are run while a module loads. null: none. */
  readonly mutant: number | null;
  /** How many marks the tree has. */
  readonly marks: number;
  readonly usual: Readonly<Record<Api, ReadonlyMap<string, Verdict>>>;
}

/** What a worker is asked for: to run trials with a mutant until the outcome of one is another than without it. */
export interface Job {
  readonly mutant: number | null;
  readonly trials: readonly { readonly trial: Trial; readonly outcome: string | null }[];
}

export type Told =
  | { readonly kind: 'begun' }
  | { readonly kind: 'ran'; readonly outcome: string; readonly hits: Uint32Array; readonly ms: number }
  | { readonly kind: 'survived' | 'killed'; readonly ran: number; readonly how: string };

const { mutant: atLoad, marks, usual } = workerData as WorkerData;
const hits = new Uint32Array(marks);
let active = atLoad === null ? '' : String(atLoad);

const isActive = (number: string): boolean => number === active;
const cover = (...numbers: string[]): void => {
  for (const number of numbers) {
    hits[Number(number)] = (hits[Number(number)] ?? 0) + 1;
  }
};

// The names that instrumented code calls: whether a mutant is on, and that the place of some was passed.
Object.assign(globalThis, { stryMutAct_9fa48: isActive, stryCov_9fa48: cover, ...lateSwitches({ isActive, cover }) });

const tell = (told: Told): void => {
  parentPort?.postMessage(told);
};

let stray: unknown;
process.on('unhandledRejection', (error) => {
  stray = error;
});

async function attempt(
  trial: Trial,
  run: (trial: Trial, verdicts: ReadonlyMap<string, Verdict>) => Promise<string>,
): Promise<string> {
  stray = undefined;
  tell({ kind: 'begun' });
  try {
    const outcome = await run(trial, usual[trial.api]);
    return stray === undefined ? outcome : `stray ${String(stray)}`;
  } catch (error) {
    return `broken: ${String(error)}`;
  }
}

/** The number of trials that ran, and how the last one told the mutant. */
async function perform({ mutant, trials }: Job, run: Parameters<typeof attempt>[1]): Promise<void> {
  active = mutant === null ? '' : String(mutant);
  for (const [i, { trial, outcome }] of trials.entries()) {
    hits.fill(0);
    const began = performance.now();
    const came = await attempt(trial, run);
    if (outcome === null) {
      tell({ kind: 'ran', outcome: came, hits: hits.slice(), ms: performance.now() - began });
    } else if (came !== outcome) {
      return tell({ kind: 'killed', ran: i + 1, how: trial.name });
    }
  }
  tell({ kind: 'survived', ran: trials.length, how: '' });
}

try {
  const { outcomeOf } = await import('./trial.ts');
  const loaded = hits.slice();
  parentPort?.on('message', (job: Job) => {
    void perform(job, outcomeOf);
  });
  tell({ kind: 'ran', outcome: 'loaded', hits: loaded, ms: 0 });
} catch (error) {
  tell({ kind: 'killed', ran: 0, how: `cannot be loaded: ${String(error).slice(0, 100)}` });
}
