import type { Api } from '../../contract/clause.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import { type ChoiceRow, type Chosen, combinations, combinationsEach, singleValues } from './choice-row.ts';
import type { FaultRow } from './fault-row.ts';
import { runJobs } from './matrix-pool.ts';
import type { Job } from './matrix-worker.ts';

/** What the suites say of every fault and of every correct deployment. */
export interface Proven {
  /** In the order of the faults. */
  readonly faults: readonly FaultRow[];
  /** Each choice value alone. */
  readonly alone: readonly ChoiceRow[];
  /** The random combinations. */
  readonly together: readonly ChoiceRow[];
}

const everywhere = (make: (api: Api) => Chosen[]): Job[] =>
  (['developer', 'workspace'] as const).flatMap((api) => make(api).map((chosen) => ({ api, chosen })));

/** Runs everything, in threads of plain Node: within Vitest's modules it takes twice as long. `onRow` hears how many of how many are done. */
export async function prove(onRow: (done: number, of: number) => void): Promise<Proven> {
  const alone = everywhere(singleValues);
  const jobs: Job[] = [
    ...faults.map(({ id }) => ({ fault: id })),
    ...alone,
    ...everywhere((api) => combinations(api, combinationsEach)),
  ];
  const rows = await runJobs(jobs, (done) => {
    onRow(done, jobs.length);
  });
  const choiceRows = rows.slice(faults.length) as ChoiceRow[];
  return {
    faults: rows.slice(0, faults.length) as FaultRow[],
    alone: choiceRows.slice(0, alone.length),
    together: choiceRows.slice(alone.length),
  };
}
