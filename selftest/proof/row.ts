import type { Api } from '../../contract/clause.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import type { Verdict } from '../../results/verdict.ts';
import { type ChoiceRow, choiceRow } from './choice-row.ts';
import { type FaultRow, faultRow } from './fault-row.ts';
import type { Job } from './jobs.ts';
import { runInProcess } from './run-in-process.ts';

export type Row = FaultRow | ChoiceRow;

/** The verdicts of the plain reference, found out once. */
const usual: Partial<Record<Api, Promise<ReadonlyMap<string, Verdict>>>> = {};

async function verdictsOf(api: Api): Promise<ReadonlyMap<string, Verdict>> {
  const { results } = await runInProcess({ api });
  return new Map(results.map(({ id, verdict }) => [id, verdict]));
}

/** Runs one job. */
export async function rowFor(job: Job): Promise<Row> {
  if ('deployment' in job) {
    return choiceRow(job.deployment);
  }
  const fault = faults.find(({ id }) => id === job.fault);
  if (fault === undefined) {
    throw new Error(`Cannot find the fault ${job.fault}`);
  }
  return faultRow(fault, await (usual[fault.api] ??= verdictsOf(fault.api)));
}
