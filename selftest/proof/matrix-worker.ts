import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Api } from '../../contract/clause.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import type { Verdict } from '../../results/verdict.ts';
import { type Chosen, choiceRow } from './choice-row.ts';
import { faultRow } from './fault-row.ts';
import { usualVerdicts } from './run-in-process.ts';

/** What a worker is asked for: the row of a fault, or of a correct deployment. */
export type Job = { readonly fault: string } | { readonly api: Api; readonly chosen: Chosen };

// Beside this, real k6 is run against a clock; to it, and not to this, the processor belongs.
setPriority(constants.priority.PRIORITY_LOW);

const usual = new Map<Api, Promise<ReadonlyMap<string, Verdict>>>();

async function rowFor(job: Job): Promise<unknown> {
  if (!('fault' in job)) {
    return choiceRow(job.api, job.chosen);
  }
  const fault = faults.find(({ id }) => id === job.fault);
  if (fault === undefined) {
    throw new Error(`Cannot find the fault ${job.fault}`);
  }
  const known = usual.get(fault.api) ?? usualVerdicts(fault.api);
  usual.set(fault.api, known);
  return faultRow(fault, await known);
}

parentPort?.on('message', ({ number, job }: { number: number; job: Job }) => {
  rowFor(job).then(
    (row) => parentPort?.postMessage({ number, row }),
    (error: unknown) => {
      throw new Error(`Cannot run ${JSON.stringify(job)}`, { cause: error });
    },
  );
});
