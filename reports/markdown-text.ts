import { html } from 'hono/html';
import { oneLine, visible } from './text.ts';

/** Text of a target inside a sentence or a table cell: nothing in it is markup or leads anywhere, and it stays on its line. */
export const inline = (text: string, most = 500): string =>
  escaped(oneLine(text, most).replace(/[\\`*_{}[\]!|~]|^[#+-]|^\d+(?=[.)])/g, '\\$&')).replace(leading, `$&${joiner}`);

/**
 * What a renderer makes a link of by itself, and notifies people by: `https://`, `www.`, `a@b.c`, `@everyone`, `#1`, `GH-1`.
 * No backslash prevents it, and people are named in what was rendered: an invisible character within does.
 */
const leading = /:(?=\/\/)|\bwww(?=\.)|@(?=\w)|#(?=\d+\b(?!;))|\bGH(?=-\d)/gi;
const joiner = '\u2060';

const escaped = (text: string): string => html`${visible(text)}`.toString();

/** Text as a code span: its fence is longer than any run of backticks in it. Inside a table, `|` would end the cell. */
export function code(text: string, most = 500): string {
  const shown = oneLine(text, most).replaceAll('|', '\u2502') || ' ';
  const fence = fenceFor(shown);
  const pad = /^`|`$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

function fenceFor(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(longest + 1);
}
