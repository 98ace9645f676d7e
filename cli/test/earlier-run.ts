import { join } from 'node:path';
import { readBounded } from '../../common/read-bounded.ts';
import { type EarlierRun, largestReport, parseRun } from '../../results/read-run.ts';

/**
 * The run whose report is in a folder; null if there is none, or if it cannot be read, which must not fail the new run.
 */
export function earlierRun(folder: string): EarlierRun | null {
  const file = join(folder, 'conformance.json');
  try {
    return parseRun(JSON.parse(readBounded(file, largestReport, 'plain').toString('utf8')));
  } catch {
    return null;
  }
}
