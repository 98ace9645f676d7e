import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Matrix } from './matrix-data.ts';

/** Where the matrix is committed. */
export const matrixFolder = join(import.meta.dirname, '../../reports/matrix');

/** The committed matrix; an empty one where there is none yet. */
export function readMatrix(): Matrix {
  try {
    return JSON.parse(readFileSync(join(matrixFolder, 'matrix.json'), 'utf8')) as Matrix;
  } catch {
    return {
      format: 1,
      figures: { faults: 0, caught: 0, clauses: 0, killed: 0, values: 0, combinations: 0, alarms: 0, seed: 0 },
      clauses: [],
      faults: [],
      choices: [],
    };
  }
}
