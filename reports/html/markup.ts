import { html, raw } from 'hono/html';
import type { Word } from '../../results/verdict.ts';
import { moreLines } from '../text.ts';
import { looks } from '../words.ts';

/** Markup that is safe to put into a page. Only `markup` and `trusted` make it. */
export type Markup = ReturnType<typeof raw>;

type Value = string | number | Markup | null | undefined | readonly Value[];

/**
 * The template tag for all parts of the page. Each text is escaped, so that nothing from a target acts on the page; one
 * that may deceive its reader comes through `oneLine` or `block`.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const made = html(strings, ...values);
  if (made instanceof Promise) {
    throw new Error('Cannot write the page: a part of it is not ready');
  }
  return made;
}

/** Our own text (style, script) that goes into the page unescaped. */
export const trusted = (text: string): Markup => raw(text);

/** A table that scrolls sideways if it is too wide. It can have the focus, so that the keyboard can scroll it. */
export const scrolling = (label: string, table: Markup): Markup =>
  markup`<div class="scroll" tabindex="0" role="group" aria-label="${label}">${table}</div>`;

/** A table with a header row. A column without a name gets an empty cell there. */
export const tableMarkup = (kind: string, columns: readonly string[], rows: readonly Markup[]): Markup =>
  markup`<table class="${kind}"><thead><tr>${columns.map((column) => (column === '' ? markup`<td></td>` : markup`<th scope="col">${column}</th>`))}</tr></thead><tbody>${rows}</tbody></table>`;

/** The part if the condition holds, otherwise null. */
export const when = (condition: boolean, part: () => Markup): Markup | null => (condition ? part() : null);

/** A paragraph about what is not shown, and where that is; none if all is shown. */
export const moreMarkup = (left: number, noun: string, where: string): Markup[] =>
  moreLines(left, noun, where).map((line) => markup`<p class="left">${line}</p>`);

/** A part of the page that is closed at first, under a heading. */
export const foldedMarkup = (id: string, title: string, note: string, content: Markup): Markup =>
  markup`<details class="folded" id="${id}"><summary><h3>${title}</h3> <span class="of">${note}</span></summary>
<div class="inside">${content}</div></details>`;

/** A verdict as a word and a mark, so that it is not shown by colour alone. */
export const badge = (word: Word): Markup =>
  markup`<span class="badge ${word}"><span class="mark" aria-hidden="true">${looks[word].mark}</span>${word}</span>`;
