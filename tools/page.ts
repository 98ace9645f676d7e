/** A page with its section `name` replaced, or appended if there is none. */
export function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const section = `${begin}\n${text.trim()}\n${end}`;
  const [before = '', after] = page.split(begin);
  return after === undefined
    ? `${page.trimEnd()}\n\n${section}\n`
    : `${before}${section}${after.slice(after.indexOf(end) + end.length)}`;
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** A Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
