import { html } from 'hono/html';
import { block, oneLine, visible } from './text.ts';

/** Text of a target inside a sentence or a table cell: nothing in it is markup, and it stays on its line. */
export const inline = (text: string, most = 500): string =>
  inHtml(oneLine(text, most).replace(/[\\`*_{}[\]!|~]|^[#+-]|^\d+(?=[.)])/g, '\\$&'));

/** Text inside a line that begins with a tag, where only HTML counts. */
export const inHtml = (text: string): string => html`${visible(text)}`.toString();

/** Text as a code span: its fence is longer than any run of backticks in it. Inside a table, `|` would end the cell. */
export function code(text: string, most = 500): string {
  const shown = oneLine(text, most).replaceAll('|', '\u2502') || ' ';
  const fence = fenceFor(shown, 1);
  const pad = /^`|`$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Text as a fenced block: its fence is longer than any run of backticks in it. */
export function fenced(text: string, language: string, mostLines = 40): string {
  const shown = block(text, 8_000, mostLines);
  const fence = fenceFor(shown, 3);
  return `${fence}${language}\n${shown}\n${fence}`;
}

function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
}
