import type { Run } from '../../results/verdict.ts';
import { block } from '../text.ts';
import { type Markup, markup, scrolling, tableMarkup } from './markup.ts';

/** Values up to this depth are shown as tables in tables, deeper ones as JSON. */
const deepest = 4;

/** What was observed for gap clauses, a row for each clause. */
export function observationsMarkup({ clauses }: Run): Markup {
  const seen = clauses.filter(({ level, observed }) => level === 'gap' && observed !== null);
  const rows = seen.map(
    ({
      id,
      title,
      observed,
    }) => markup`<details class="fact-row"><summary><code>${id}</code> <span>${title}</span></summary>
<div>${observedMarkup(observed)}<p class="source"><a href="#${id}">To the clause</a></p></div></details>`,
  );
  return markup`<section class="observations" id="observed" aria-labelledby="observed-title">
<h2 id="observed-title">Observed facts <span class="of">not specified by the documents</span></h2>
${seen.length === 0 ? markup`<p class="of">Nothing was observed.</p>` : rows}</section>`;
}

/** A JSON value to read: objects as tables of names, lists of objects as tables of rows, the rest as text. */
export function observedMarkup(value: unknown, depth = 0): Markup {
  if (typeof value !== 'object' || value === null) {
    return plain(value);
  }
  if (Object.keys(value).length === 0) {
    return plain(Array.isArray(value) ? 'none' : 'nothing', 'empty');
  }
  if (depth >= deepest) {
    return markup`<pre>${block(JSON.stringify(value, null, 2), 8_000, 200)}</pre>`;
  }
  return Array.isArray(value) ? list(value, depth) : fields(value as Record<string, unknown>, depth);
}

function plain(value: unknown, kind: string = typeof value): Markup {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text === ''
    ? markup`<span class="value empty">empty text</span>`
    : markup`<span class="value ${kind}">${block(text, 4_000, 60)}</span>`;
}

function fields(object: Record<string, unknown>, depth: number): Markup {
  const rows = Object.entries(object).map(
    ([name, inner]) => markup`<tr><th scope="row">${name}</th><td>${observedMarkup(inner, depth + 1)}</td></tr>`,
  );
  return scrolled(markup`<table class="fields"><tbody>${rows}</tbody></table>`, depth);
}

function list(items: readonly unknown[], depth: number): Markup {
  const columns = columnsOf(items);
  if (columns !== null) {
    return rowsOf(items as readonly Record<string, unknown>[], columns, depth);
  }
  if (items.every(isShort)) {
    return markup`${items.map((item, at) => markup`${at > 0 ? ', ' : ''}${plain(item)}`)}`;
  }
  return markup`<ul class="values">${items.map((item) => markup`<li>${observedMarkup(item, depth + 1)}</li>`)}</ul>`;
}

/** Whether a value reads well in a row with others. */
const isShort = (item: unknown): boolean =>
  typeof item === 'string' ? item !== '' && item.length <= 60 : typeof item !== 'object' || item === null;

/** The columns for a list of objects with few different fields; null if the list makes no table. */
function columnsOf(items: readonly unknown[]): readonly string[] | null {
  if (!items.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))) {
    return null;
  }
  const columns = [...new Set(items.flatMap((item) => Object.keys(item as object)))];
  return columns.length > 0 && columns.length <= 8 ? columns : null;
}

function rowsOf(items: readonly Record<string, unknown>[], columns: readonly string[], depth: number): Markup {
  const cell = (item: Record<string, unknown>, column: string): Markup | null =>
    Object.hasOwn(item, column) ? observedMarkup(item[column], depth + 1) : null;
  const rows = items.map((item) => markup`<tr>${columns.map((column) => markup`<td>${cell(item, column)}</td>`)}</tr>`);
  return scrolled(tableMarkup('rows', columns, rows), depth);
}

/** Only the outermost table scrolls. */
const scrolled = (table: Markup, depth: number): Markup => (depth > 0 ? table : scrolling('Observed values', table));
