import { join } from 'node:path';
import { readBounded } from '../../common/read-bounded.ts';
import { type EarlierRun, parseRun } from '../../results/read-run.ts';

/** No run of this suite writes more, in bytes. */
const largest = 50_000_000;

/** The run whose report lies in a folder; null where there is none that can be read: a run never fails for that. */
export function earlierRun(folder: string): EarlierRun | null {
  const file = join(folder, 'conformance.json');
  try {
    return parseRun(JSON.parse(readBounded(file, largest, 'plain').toString('utf8')));
  } catch {
    return null;
  }
}
