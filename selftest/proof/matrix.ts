import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clauses } from '../../contract/clauses.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import type { FaultRow } from './fault-row.ts';
import type { Proven } from './prove.ts';

/** Where the matrix is committed: a row a line, its cells apart by tabs. */
export const matrixFile = join(import.meta.dirname, 'matrix.tsv');

/**
 * The matrix as text: by fault, the clauses that it turned red (those that it may with a plus in front), how many could not be
 * decided any more, and what the run left behind; by choice, the clauses that nobody can decide there.
 */
export function matrixText({ faults: rows, deployments }: Proven): string {
  const cells = ({ id, fails, also, open, left }: FaultRow): string[] => [
    id,
    [...fails, ...also.map((clause) => `+${clause}`)].join(' '),
    String(open.length),
    left.join('; '),
  ];
  const values = choices.flatMap(({ name, values: all }) => Object.keys(all).map((value) => `${name}=${value}`));
  const undecided = deployments.filter(({ name, open }) => values.includes(name) && open.length > 0);
  return [...rows.map(cells), ...undecided.map(({ name, open }) => [name, open.join(' '), '', '']), []]
    .map((row) => row.join('\t').trimEnd())
    .join('\n');
}

export const readMatrix = (): string => readFileSync(matrixFile, 'utf8');

/** A clause that can fail, and the faults that make it. */
export interface ClauseRow {
  readonly id: string;
  readonly level: string;
  readonly title: string;
  readonly failedBy: readonly string[];
}

/** Must and should clauses with the faults that name them. */
export const clauseRows = (): readonly ClauseRow[] =>
  clauses
    .filter(({ level }) => level !== 'gap')
    .map(({ id, level, title }) => ({
      id,
      level,
      title,
      failedBy: faults.filter(({ fails }) => fails.includes(id)).map((fault) => fault.id),
    }));
