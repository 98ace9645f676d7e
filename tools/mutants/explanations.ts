import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One reason, and the mutants of a file that survive for it: `ID ORIGINAL → REPLACEMENT`, of which the id counts. */
export interface Explanation {
  readonly reason: string;
  readonly mutants: readonly string[];
}

/** What explanations/AREA.json holds: by the name of a file in suites/AREA. */
type Area = Readonly<Record<string, readonly Explanation[]>>;

const folder = join(import.meta.dirname, 'explanations');

/** The committed explanations. */
export const readExplanations = (): readonly Explanation[] =>
  readdirSync(folder).flatMap((name) =>
    Object.values(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Area).flat(),
  );

const idOf = (text: string): string => text.split(' ')[0] ?? '';

/** Reasons by a mutant's id. */
export const reasonsById = (explanations: readonly Explanation[]): ReadonlyMap<string, string> =>
  new Map(explanations.flatMap(({ reason, mutants }) => mutants.map((text) => [idOf(text), reason] as const)));

/** What is explained although there is no such mutant, or explained twice. */
export function staleExplanations(explanations: readonly Explanation[], ids: ReadonlySet<string>): string[] {
  const all = explanations.flatMap(({ mutants }) => mutants);
  return all.filter(
    (text, index) => !ids.has(idOf(text)) || all.findIndex((other) => idOf(other) === idOf(text)) !== index,
  );
}
