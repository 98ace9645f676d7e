import { chapterOf, clauses } from '../../contract/clauses.ts';
import { settings } from '../../contract/settings.ts';
import { figureLines } from '../matrix/figures.ts';

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

/** The README's generated parts, by the name between their markers. */
export const tables: Readonly<Record<string, string>> = {
  clauses: [...new Set(clauses.map(({ id }) => chapterOf(id)))]
    .map((chapter) =>
      [
        `**${chapter}**`,
        '',
        table(
          ['clause', 'level', 'requirement', 'source'],
          clauses
            .filter(({ id }) => chapterOf(id) === chapter)
            .map(({ id, level, title, source, everyResponse }) => [
              `\`${id}\``,
              level,
              title + (everyResponse ? ' *(every response)*' : ''),
              source,
            ]),
        ),
      ].join('\n'),
    )
    .join('\n\n'),
  proof: figureLines()
    .map((line) => `- ${line}`)
    .join('\n'),
  settings: table(
    ['setting', 'meaning', 'default'],
    settings.map(({ name, meaning, values, default: standard }) => [
      `\`${name}\``,
      values ? `${meaning}: ${values.join(', ')}` : meaning,
      standard === null ? 'none' : `\`${standard}\``,
    ]),
  ),
};

/** The text with what stands between each pair of markers replaced by its table. Throws where a marker is missing. */
export function withTables(readme: string): string {
  return Object.entries(tables).reduce((text, [name, content]) => {
    const [begin, end] = [`<!-- table: ${name} -->`, `<!-- end: ${name} -->`];
    const from = text.indexOf(begin);
    const to = text.indexOf(end);
    if (from < 0 || to < from) {
      throw new Error(`Cannot place a table: ${begin} … ${end} is not in the README`);
    }
    return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
  }, readme);
}
