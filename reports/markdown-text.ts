import { html } from 'hono/html';
import { oneLine, visible } from './text.ts';

/** A target's text for use in a sentence or a table cell: on one line, without markup and links. */
export const inline = (text: string, most = 500): string =>
  escaped(oneLine(text, most).replace(/[\\`*_{}[\]!|~]|^[#+-]|^\d+(?=[.)])/g, '\\$&')).replace(leading, `$&${joiner}`);

/**
 * The beginnings of texts that renderers turn into links or notifications: `https://`, `www.`, `a@b.c`, `@everyone`,
 * `#1`, `GH-1`. A backslash does not prevent that, but an invisible character (the joiner) after the beginning does.
 */
const leading = /:(?=\/\/)|\bwww(?=\.)|@(?=\w)|#(?=\d+\b(?!;))|\bGH(?=-\d)/gi;
const joiner = '\u2060';

const escaped = (text: string): string => html`${visible(text)}`.toString();

/** Text as a code span. Quotes stand for backticks, which would end the span, and a line for `|`, which would end a cell. */
export const code = (text: string, most = 500): string =>
  `\`${oneLine(text, most).replaceAll('`', "'").replaceAll('|', '\u2502') || ' '}\``;
