import { nextPage } from './next-page.ts';
import { linkTo, type PageBody } from './page-links.ts';
import {
  type Continuation,
  endName,
  isCursorName,
  moreName,
  offsetName,
  type PageParts,
  pageNumbersOf,
  partsOf,
  type Query,
  queryOf,
  type ReadSoFar,
  rowsOf,
  totalOf,
} from './page-parts.ts';

/** Up to this many further pages are read in their order; beyond that the last page is far. */
const few = 3;

/** How to get to the last page of a list, where a page shows it and it is far; null otherwise. */
export function lastPage(body: PageBody): Continuation | null {
  const page = partsOf(body);
  const last = linkTo('last', page)?.url;
  const next = linkTo('next', page)?.url;
  // Links are surer than numbers, which may begin with 0 where the pages in the links begin with 1.
  if (last !== undefined && next !== undefined) {
    const query = queryOf(last);
    return isFarFrom(queryOf(next), query) ? { style: 'link to the last page', queries: [query] } : null;
  }
  const { pages, current = 1, countsFromZero, queriesFor } = pageNumbersOf(page);
  if (pages === undefined) {
    return lastByTotal(page, next === undefined ? {} : queryOf(next));
  }
  const number = countsFromZero ? pages - 1 : pages;
  return number - current > few ? { style: 'last page', queries: queriesFor(number) } : null;
}

/** Whether there are pages between two whose queries differ in a number: a page's, or an offset. */
function isFarFrom(next: Query, last: Query): boolean {
  const [name, to] = Object.entries(last).find(([key, value]) => value !== next[key]) ?? ['', ''];
  const from = Number(next[name]);
  return from !== Number(to) && !(Number(to) - from < few);
}

/** From the total, in the terms of the query for the second page: `page=2`, or as offset the rows of one page. */
function lastByTotal(page: PageParts, second: Query): Continuation | null {
  const total = totalOf(page) ?? 0;
  const rows = rowsOf(page).length;
  if (rows === 0 || total <= (few + 2) * rows) {
    return null;
  }
  const number = Math.ceil(total / rows);
  const offset = total - rows;
  const [name, value] = Object.entries(second).find(
    ([key, one]) => ['2', String(rows)].includes(String(one)) && !isSizeName(key),
  ) ?? ['page', '2'];
  return { style: 'total', queries: [{ [name]: value === '2' ? number : offset }, { [offsetName(page)]: offset }] };
}

/** Whether a parameter says how many rows a page has: in `limit=20&offset=20` only the offset moves. */
const isSizeName = (name: string): boolean =>
  /limit|size|count|per_?page|^(top|first|take|max|rows)$/i.test(name.replace('$', ''));

/**
 * Whether a list ends with a page. `ends`: the page says so, or is empty. `goes on`: it says that, or it says nothing
 * and is as long as pages usually are, and as long as the list's pages ever were. `unknown` otherwise. A total below
 * the rows of the page counts something else.
 */
export function endOf(body: PageBody, before: ReadSoFar): 'ends' | 'goes on' | 'unknown' {
  const page = partsOf(body);
  const rows = rowsOf(page).length;
  if (nextPage(page, before) !== null) {
    return 'goes on';
  }
  if (showsEnd(page, before)) {
    return 'ends';
  }
  const isFull = rows >= 10 && rows % 5 === 0 && rows >= (before.longestPage ?? 0);
  return isFull ? 'goes on' : 'unknown';
}

/** Whether a page without a next one shows that it is the last: it is empty, or its metadata says so. */
function showsEnd(page: PageParts, before: ReadSoFar): boolean {
  const rows = rowsOf(page).length;
  const total = totalOf(page);
  const isTotalRead = total !== undefined && rows <= total && total <= before.rows + rows;
  const hasEndMark = page.metadata.some(
    ({ name, value }) =>
      (isCursorName(name) && /next/i.test(name) && isNothing(value)) ||
      (moreName.test(name) && value === false) ||
      (endName.test(name) && value === true),
  );
  return (
    page.next !== undefined ||
    (page.rows !== undefined && rows === 0) ||
    pageNumbersOf(page).pages !== undefined ||
    isTotalRead ||
    hasEndMark ||
    before.previousShowedNext === true ||
    (page.header('Link') ?? '').includes('rel=')
  );
}

const isNothing = (value: unknown): boolean => value === null || value === '' || value === false;

/** The style of a continuation that no answer shows. */
export const guessedStyle = 'not shown';

/** The usual ways to ask for more, where the answer does not show one. */
export const guessedContinuation = (page: PageBody, before: ReadSoFar): Continuation => {
  const read = before.rows + rowsOf(partsOf(page)).length;
  return {
    style: guessedStyle,
    queries: [{ page: before.pages + 2 }, { offset: read }, { skip: read }, { limit: 200 }, { per_page: 100 }],
  };
};

/** The query that reverses a list, where the answer shows the parameter of its ascending order; null otherwise. */
export function reversedOrder(page: PageBody): Query | null {
  for (const { name, value } of partsOf(page).metadata) {
    if (
      typeof value === 'string' &&
      /^(order|sort_?order|direction|sort_?dir(ection)?)$/i.test(name) &&
      /^asc/i.test(value)
    ) {
      return { [name]: value.replace(/^asc\w*/i, value.startsWith('A') ? 'DESC' : 'desc') };
    }
    if (typeof value === 'string' && /^(sort|sort_?by|order_?by)$/i.test(name) && /[\s:,+]asc|^\+/i.test(value)) {
      return { [name]: value.replace(/([\s:,])asc\w*/i, '$1desc').replace(/^\+/, '-') };
    }
  }
  return null;
}
