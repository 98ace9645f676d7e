import { observedOf } from '../results/drift.ts';
import type { Run } from '../results/verdict.ts';

/**
 * profile.json: all that was observed where the documents are silent. Clauses in the contract's order, keys sorted, and
 * nothing of the run itself (no time, no seed), so that the profiles of two runs diff well. Setting PROFILE reads it.
 */
export function profileReport(run: Run): string {
  return `${JSON.stringify({ format: 1, targets: run.targets, observed: observedOf(run.clauses) }, null, 2)}\n`;
}
