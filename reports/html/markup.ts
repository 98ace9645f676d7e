import { html, raw } from 'hono/html';
import { moreLines, visible } from '../text.ts';

/** Markup that is safe to put into a page: only `markup` and `trusted` make it. */
export type Markup = ReturnType<typeof raw>;

type Value = string | number | Markup | null | undefined | readonly Value[];

/**
 * The template tag that every part of the page is written with: hono escapes each text, and each text is made visible
 * first, so that nothing a target sent acts on the page or on the reader's eye.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const made = html(strings, ...values.map(shown));
  if (made instanceof Promise) {
    throw new Error('Cannot write the page: a part of it is not ready');
  }
  return made;
}

function shown(value: Value): unknown {
  if (typeof value === 'string') {
    return visible(value);
  }
  return Array.isArray(value) ? value.map(shown) : value;
}

/** Text of our own (style, script) that stands in the page as it is. */
export const trusted = (text: string): Markup => raw(text);

/** A table that scrolls sideways where it is too wide; the keyboard reaches it for that. */
export const scrolling = (label: string, table: Markup): Markup =>
  markup`<div class="scroll" tabindex="0" role="group" aria-label="${label}">${table}</div>`;

/** A table with a head; an empty column's is a corner. */
export const tableMarkup = (kind: string, columns: readonly string[], rows: readonly Markup[]): Markup =>
  markup`<table class="${kind}"><thead><tr>${columns.map((column) => (column === '' ? markup`<td></td>` : markup`<th scope="col">${column}</th>`))}</tr></thead><tbody>${rows}</tbody></table>`;

/** The part where the condition holds, nothing where it does not. */
export const when = (condition: boolean, part: () => Markup): Markup | null => (condition ? part() : null);

/** What is not shown, and where it is; nothing where all is shown. */
export const moreMarkup = (left: number, noun: string, where: string): Markup[] =>
  moreLines(left, noun, where).map((line) => markup`<p class="left">${line}</p>`);

/** A part of the page that opens, under a heading of its own. */
export const foldedMarkup = (id: string, title: string, note: string, content: Markup): Markup =>
  markup`<details class="folded" id="${id}"><summary><h3>${title}</h3> <span class="of">${note}</span></summary>
<div class="inside">${content}</div></details>`;
