import { profileOf } from '../results/drift.ts';
import type { Run } from '../results/verdict.ts';
import { jsonText } from './text.ts';

/**
 * profile.json: everything that was observed for gap clauses, in the contract's order and with sorted keys. It has
 * nothing of the run itself (no URL, no time, no seed, nothing measured), so two runs against an unchanged deployment
 * write the same file.
 */
export const profileReport = (run: Run): string => jsonText({ format: 1, observed: profileOf(run.clauses) });
