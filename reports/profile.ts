import { profileOf } from '../results/drift.ts';
import type { Run } from '../results/verdict.ts';

/**
 * profile.json: all that was observed for the gaps. Clauses in the contract's order, keys sorted, and nothing of the run
 * itself (no origin, no time, no seed, nothing measured): two runs against an unchanged deployment write the same.
 */
export const profileReport = (run: Run): string =>
  `${JSON.stringify({ format: 1, observed: profileOf(run.clauses) }, null, 2)}\n`;
