import { faults } from '../../fixtures/reference/deployment.ts';
import { type ChoiceRow, choiceRow } from './choice-row.ts';
import { crossedRow, type FaultRow, faultRow } from './fault-row.ts';
import type { Job } from './jobs.ts';

export type Row = FaultRow | ChoiceRow;

/** Runs one job. */
export async function rowFor(job: Job): Promise<Row> {
  if (!('fault' in job)) {
    return choiceRow(job.deployment);
  }
  const fault = faults.find(({ id }) => id === job.fault);
  if (fault === undefined) {
    throw new Error(`Cannot find the fault ${job.fault}`);
  }
  return job.deployment === undefined ? faultRow(fault) : crossedRow(fault, job.deployment);
}
