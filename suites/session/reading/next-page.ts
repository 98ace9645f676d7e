import { idsOfLast } from './id-fields.ts';
import { linkTo, type PageBody } from './page-links.ts';
import {
  type Before,
  type Continuation,
  isCursorName,
  moreName,
  numberIn,
  numbersOf,
  offsetName,
  type PageParts,
  parameterOf,
  partsOf,
  queryOf,
  rowsOf,
  totalOf,
} from './page-parts.ts';

const nothing: Before = { pages: 0, rows: 0 };

/** What a page shows of the next one. null: it shows none. */
export function nextPage(body: PageBody | PageParts, before: Before = nothing): Continuation | null {
  const page = partsOf(body);
  return byLink(page) ?? byCursor(page) ?? byNumber(page, before) ?? byRemainder(page, before);
}

function byLink(page: PageBody): Continuation | null {
  const next = linkTo('next', page);
  return next === undefined ? null : { style: next.style, queries: [queryOf(next.url)] };
}

function byCursor({ beside, header }: PageParts): Continuation | null {
  const named = beside.find(
    ({ name, value }) =>
      (typeof value === 'string' && value !== '' && (isCursorName(name) || /^(offset|marker|bookmark)$/i.test(name))) ||
      (typeof value === 'number' && value > 0 && isCursorName(name)),
  );
  const more = beside.find(({ name }) => moreName.test(name))?.value;
  if (named !== undefined && more !== false) {
    const { name, value } = named as { name: string; value: string | number };
    return { style: `cursor in ${name}`, queries: cursorNames(name).map((parameter) => ({ [parameter]: value })) };
  }
  const next = ['X-Next-Cursor', 'X-Next-Page-Token', 'X-Next-Page'].find((name) => (header(name) ?? '') !== '');
  return next === undefined
    ? null
    : {
        style: `header ${next}`,
        queries: cursorNames(next.slice(2).replaceAll('-', '_').toLowerCase()).map((name) => ({
          [name]: header(next) ?? '',
        })),
      };
}

/** The parameters that may take the cursor of a field, likeliest first. */
function cursorNames(field: string): string[] {
  const bare = field.replace(/^next[_-]?/i, '');
  const first = parameterOf(bare);
  const names = [
    first,
    first.toLowerCase(),
    field,
    'cursor',
    'after',
    'page',
    'page_token',
    'starting_after',
    'offset',
  ];
  return [...new Set(names)].filter((name) => name !== '');
}

function byNumber(page: PageParts, { pages: seen }: Before): Continuation | null {
  const { pages, current = seen + 1, queriesFor } = numbersOf(page);
  // The last of pages that count from zero is the one before their number; nothing but the first page shows that they do.
  const isSpring = numberIn(page, /^number$/) !== undefined;
  const last = pages === undefined ? undefined : isSpring && current <= seen ? pages - 1 : pages;
  return last !== undefined && current < last ? { style: 'page number', queries: queriesFor(current + 1) } : null;
}

/** A total larger than what was shown, or a flag that says there is more, without saying how to get there. */
function byRemainder(page: PageParts, before: Before): Continuation | null {
  const rows = rowsOf(page);
  const shown = before.rows + rows.length;
  const total = totalOf(page);
  const flag = page.beside.find(({ name, value }) => moreName.test(name) && typeof value === 'boolean')?.value;
  const hasMore =
    flag === true || (flag === undefined && page.beside.some(({ name, value }) => name === 'last' && value === false));
  if (rows.length === 0 || (!hasMore && (flag === false || total === undefined || total <= shown))) {
    return null;
  }
  const ids = idsOfLast(rows);
  // What repeats an id of the last row is called as the parameter is, most likely.
  const repeated = page.beside.flatMap(({ name, value }) =>
    ids.includes(String(value)) ? [{ [parameterOf(name)]: String(value) }] : [],
  );
  const afterLast = [...ids.flatMap((id) => [{ starting_after: id }, { after: id }]), ...repeated];
  return {
    style: hasMore ? 'has_more' : 'total',
    queries: [...numbersOf(page).queriesFor(before.pages + 2), { [offsetName(page)]: shown }, ...afterLast],
  };
}
