import { faults } from '../../fixtures/reference/deployment.ts';
import { type ChoiceRow, choiceRow } from './choice-row.ts';
import { crossedRow, type FaultRow, faultRow, rowsOfTogether } from './fault-row.ts';
import type { Job } from './jobs.ts';

type Row = FaultRow | ChoiceRow;

/** Runs one job, which gives a row for each fault or deployment. */
export async function rowsFor(job: Job): Promise<readonly Row[]> {
  if ('together' in job) {
    return rowsOfTogether(job.together.map(faultOf));
  }
  if (!('fault' in job)) {
    return [await choiceRow(job.deployment)];
  }
  const fault = faultOf(job.fault);
  return [await (job.deployment === undefined ? faultRow(fault) : crossedRow(fault, job.deployment))];
}

function faultOf(wanted: string): (typeof faults)[number] {
  const fault = faults.find(({ id }) => id === wanted);
  if (fault === undefined) {
    throw new Error(`Cannot find the fault ${wanted}`);
  }
  return fault;
}
