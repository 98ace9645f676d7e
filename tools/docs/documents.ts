import { readFileSync } from 'node:fs';
import { chapterOf, clauses } from '../../contract/clauses.ts';
import { settings } from '../../contract/settings.ts';
import { reportFiles } from '../../reports/write.ts';

/** A page with its section `name` replaced. */
function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  return `${page.slice(0, from)}${begin}\n${text.trim()}\n${page.slice(to)}`;
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** A Markdown table. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** Every clause, by chapter. */
const clauseTables = (): string =>
  [...Map.groupBy(clauses, ({ id }) => chapterOf(id))]
    .map(([chapter, own]) => {
      const rows = own.map(({ id, level, title, source, quote, everyResponse }) => [
        `\`${id}\``,
        level,
        title + (everyResponse ? ' *(every response)*' : ''),
        `${source}: ${quote.replaceAll('<', '&lt;')}`,
      ]);
      return `## ${chapter}\n\n${table(['clause', 'level', 'requirement', 'source'], rows)}`;
    })
    .join('\n\n');

/** Every setting, in the order of the interface. */
const settingTable = (): string =>
  table(
    ['setting', 'meaning', 'default'],
    settings.map(({ name, meaning, values, default: standard }) => [
      `\`${name}\``,
      values ? `${meaning} (${values.join(', ')})` : meaning,
      standard === undefined ? 'none' : `\`${standard}\``,
    ]),
  );

/** Every report file of a run. */
const reportTable = (): string =>
  table(
    ['file', 'for'],
    Object.entries(reportFiles).map(([name, [purpose]]) => [`\`${name}\``, purpose]),
  );

/** The content of .env.example: every setting with its meaning, its values and its default, commented out. */
function envExample(): string {
  const entries = settings.map(
    ({ name, meaning, values, default: value }) =>
      `# ${meaning}${values ? ` (${values.join(', ')})` : ''}\n# ${name}=${value ?? ''}\n`,
  );
  return [
    '# Copy this file to .env and fill in what a run needs. The environment takes precedence over it. Without BASE_URL and',
    '# WORKSPACE_API_URL, npm test judges the reference deployment that comes with the suite.',
    '',
    entries.join('\n'),
  ].join('\n');
}

const withTable = (path: string, name: string, text: string): string =>
  withSection(readFileSync(path, 'utf8'), name, text);

/** The pages with tables from the contract and the list of reports, by path. */
export const pages = (): Readonly<Record<string, string>> => ({
  'docs/clauses.md': withTable('docs/clauses.md', 'clauses', clauseTables()),
  'docs/ci.md': withTable('docs/ci.md', 'reports', reportTable()),
  'docs/settings.md': withTable('docs/settings.md', 'settings', settingTable()),
  '.env.example': envExample(),
});
