import { readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../common/make-folder.ts';
import { settings as table } from '../../contract/settings.ts';
import { type EarlierRun, isInstant } from '../../results/earlier.ts';

/** How many earlier runs are kept beside reports/latest. */
const mostKept = 20;
const usualFolder = table.find(({ name }) => name === 'REPORTS_DIR')?.default;

/**
 * Moves the reports of an earlier run that came to its end and judged all it was to judge into a folder of its own, in
 * `runs` beside reports/latest: a run that is stopped, finds no target or judges a part would otherwise overwrite them. A
 * folder that the user has chosen has the reports of the newest run alone. What cannot be moved is overwritten.
 */
export function keepWholeRun(folder: string, before: EarlierRun | null, usual = usualFolder): void {
  if (folder !== usual || before === null || !isInstant(before.startedAt) || !isWhole(before)) {
    return;
  }
  const runs = join(dirname(folder), 'runs');
  try {
    makeFolder(runs);
    renameSync(folder, join(runs, before.startedAt.replaceAll(':', '-')));
    const old = readdirSync(runs).toSorted().slice(0, -mostKept);
    for (const name of old.filter((one) => /^\d{4}-\d\d-\d\dT[\d.-]+Z$/.test(one))) {
      rmSync(join(runs, name), { recursive: true, force: true });
    }
  } catch {
    // It may be open in another program, on Windows.
  }
}

const isWhole = ({ conformant, clauses }: EarlierRun): boolean =>
  conformant !== null && clauses.every(({ cutShort, outside }) => cutShort === undefined && outside !== 'selection');
