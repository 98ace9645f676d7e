import { readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../common/files.ts';
import { settings as table } from '../../contract/settings.ts';
import type { EarlierRun } from '../../results/earlier.ts';
import { readRun } from '../read-file.ts';

/** How many earlier runs are kept beside reports/latest. */
const mostKept = 20;
const usualFolder = table.find(({ name }) => name === 'REPORTS_DIR')?.default;
/** The name of a run's folder: the time at which it began, without colons, which Windows has in no name. */
const folderName = /^\d{4}-\d\d-\d\dT[\d.-]{8,16}Z$/;
const folderOf = ({ startedAt }: EarlierRun): string => startedAt.replaceAll(':', '-');

/**
 * Moves the reports of an earlier run that came to its end and judged all it was to judge into a folder of its own, in
 * `runs` beside reports/latest: a run that is stopped, finds no target or judges a part would otherwise overwrite them. A
 * folder that the user has chosen has the reports of the newest run alone. What cannot be moved is overwritten.
 */
export function keepWholeRun(folder: string, usual = usualFolder): void {
  try {
    const before = readRun(folder, '');
    if (folder !== usual || !isWhole(before)) {
      return;
    }
    const runs = join(dirname(folder), 'runs');
    makeFolder(runs);
    renameSync(folder, join(runs, folderOf(before)));
    const old = readdirSync(runs).toSorted().slice(0, -mostKept);
    for (const name of old.filter((one) => folderName.test(one))) {
      rmSync(join(runs, name), { recursive: true, force: true });
    }
  } catch {
    // There is none, or none that can be read. On Windows it may be open in another program.
  }
}

const isWhole = (run: EarlierRun): boolean =>
  folderName.test(folderOf(run)) &&
  run.conformant !== null &&
  run.clauses.every(({ cutShort, outside }) => cutShort === undefined && outside !== 'selection');
