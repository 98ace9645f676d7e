import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clauses } from '../../contract/clauses.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import type { FaultRow } from './fault-row.ts';
import type { Proven } from './prove.ts';

/** The file of the committed matrix: one line for each row, with cells separated by tabs. */
export const matrixFile = join(import.meta.dirname, 'matrix.tsv');

/**
 * The matrix as text. For each fault: the clauses that it fails (with a plus if it only may), how many cannot be
 * decided, and what the run left behind. For each choice: the clauses that cannot be decided.
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

/** What the committed matrix says of each fault. */
interface FaultLine {
  readonly id: string;
  /** The clauses that must fail, and do. */
  readonly fails: readonly string[];
  /** How many clauses cannot be decided. */
  readonly open: number;
}

export const readFaultLines = (): readonly FaultLine[] =>
  readMatrix()
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([id = '']) => id !== '' && !id.includes('='))
    .map(([id = '', fails = '', open = '']) => ({
      id,
      fails: fails.split(' ').filter((clause) => clause !== '' && !clause.startsWith('+')),
      open: Number(open),
    }));

/** A clause that can fail, and the faults that make it. */
export interface ClauseRow {
  readonly id: string;
  readonly level: string;
  readonly title: string;
  readonly failedBy: readonly string[];
}

/** Must and should clauses, with the faults that must fail them. */
export const clauseRows = (): readonly ClauseRow[] =>
  clauses
    .filter(({ level }) => level !== 'gap')
    .map(({ id, level, title }) => ({
      id,
      level,
      title,
      failedBy: faults.filter(({ fails }) => fails.includes(id)).map((fault) => fault.id),
    }));
