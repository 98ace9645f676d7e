import type { Clause, Level } from '../../contract/clause.ts';
import { clauses } from '../../contract/clauses.ts';
import type { ChoiceRow } from './choice-row.ts';
import type { FaultRow } from './fault-row.ts';

/** A clause and the faults that turn it red. */
export interface ClauseRow {
  readonly id: Clause['id'];
  readonly level: Level;
  readonly title: string;
  /** Ids of faults whose promise names the clause. */
  readonly killedBy: readonly string[];
}

/** The choices that were taken, one value alone each. */
export interface AloneRow {
  readonly chosen: string;
  readonly open: readonly string[];
}

export interface Figures {
  readonly faults: number;
  /** Faults that turned red all that they had to, and nothing else. */
  readonly caught: number;
  /** Must and should clauses. */
  readonly clauses: number;
  /** Those of them that at least one fault turns red. */
  readonly killed: number;
  /** Choice values, each run alone. */
  readonly values: number;
  readonly combinations: number;
  /** Runs against correct deployments with any alarm. */
  readonly alarms: number;
  readonly seed: number;
}

/** Which fault turns which clause red: what `npm run matrix` writes and the selftest holds against a new run. */
export interface Matrix {
  readonly format: 1;
  readonly figures: Figures;
  readonly clauses: readonly ClauseRow[];
  readonly faults: readonly FaultRow[];
  readonly choices: readonly AloneRow[];
}

export const nameOf = (chosen: Readonly<Record<string, string>>): string =>
  Object.entries(chosen)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** Puts the matrix together. */
export function matrixOf(
  faults: readonly FaultRow[],
  alone: readonly ChoiceRow[],
  together: readonly ChoiceRow[],
  seed: number,
): Matrix {
  const rows = clauses
    .filter(({ level }) => level !== 'gap')
    .map(
      ({ id, level, title }): ClauseRow => ({
        id,
        level,
        title,
        killedBy: faults.filter(({ reds }) => reds.includes(id)).map((fault) => fault.id),
      }),
    );
  return {
    format: 1,
    figures: {
      faults: faults.length,
      caught: faults.filter(({ missed, extra, reds }) => missed.length + extra.length === 0 && reds.length > 0).length,
      clauses: rows.length,
      killed: rows.filter(({ killedBy }) => killedBy.length > 0).length,
      values: alone.length,
      combinations: together.length,
      alarms: [...alone, ...together].filter(({ alarms }) => alarms.length > 0).length,
      seed,
    },
    clauses: rows,
    faults,
    choices: alone.map(({ chosen, open }) => ({ chosen: nameOf(chosen), open })),
  };
}
