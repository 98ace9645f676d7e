import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One reason, and the mutants that survive for it: `ID FILE: ORIGINAL → REPLACEMENT`, of which the id counts. */
export interface Explanation {
  readonly reason: string;
  readonly mutants: readonly string[];
}

export const explanationsFile = join(import.meta.dirname, 'explanations.json');

/** The committed explanations. */
export const readExplanations = (): readonly Explanation[] => JSON.parse(readFileSync(explanationsFile, 'utf8')) as Explanation[];

/** Reasons by a mutant's id. */
export const reasonsById = (explanations: readonly Explanation[]): ReadonlyMap<string, string> =>
  new Map(explanations.flatMap(({ reason, mutants }) => mutants.map((text) => [text.split(' ')[0] ?? '', reason] as const)));
