import { clauses } from '../../contract/clauses.ts';
import type { Selection } from '../../suites/run/selection.ts';

/** The output of `--list`: id, level and title of the chosen clauses. */
export function listText(selection: Pick<Selection, 'has'>): string {
  const chosen = clauses.filter(({ id }) => selection.has(id));
  const width = Math.max(...chosen.map(({ id }) => id.length));
  return chosen.map(({ id, level, title }) => `${id.padEnd(width)}  ${level.padEnd(6)}  ${title}\n`).join('');
}
