import { clauses } from '../../contract/clauses.ts';
import { settings } from '../../contract/settings.ts';
import type { Selection } from '../../suites/run/selection.ts';

/** What `npm test -- --help` prints. */
export function helpText(): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  const rows = settings.map(
    ({ name, meaning, values, default: value }) =>
      `  ${name.padEnd(width)}  ${meaning}${values ? `: ${values.join(', ')}` : ''}${value === null ? '' : ` [${value}]`}`,
  );
  return [
    'npm test -- [developer | workspace] [-t CLAUSE] [--list] [any option of Vitest]',
    '',
    'Judges a deployment, clause by clause; without BASE_URL and WORKSPACE_API_URL the embedded reference deployment.',
    '',
    '  -t CLAUSE   only the clauses whose id begins so: -t developer.auth, -t "developer.keys|developer.auth"',
    '  --list      prints the clauses that would be judged, and sends nothing',
    '',
    'Settings (environment, or .env) [default]:',
    ...rows,
    '',
    'Exit status: 0 conformant, 1 a must failed (with STRICT=1, a should), 2 it cannot be told.',
    '',
  ].join('\n');
}

/** What `--list` prints: id, level and title of the clauses chosen. */
export function listText(selection: Pick<Selection, 'has'>): string {
  const chosen = clauses.filter(({ id }) => selection.has(id));
  const width = Math.max(...chosen.map(({ id }) => id.length));
  return chosen.map(({ id, level, title }) => `${id.padEnd(width)}  ${level.padEnd(6)}  ${title}\n`).join('');
}
