import { nextPage } from './next-page.ts';
import { linkTo, type PageBody } from './page-links.ts';
import {
  type Before,
  type Continuation,
  endName,
  isCursorName,
  moreName,
  numbersOf,
  offsetName,
  partsOf,
  type Query,
  queryOf,
  rowsOf,
  totalOf,
} from './page-parts.ts';

/** Fewer further pages than this are read in their order. */
const few = 3;

/** What a page shows of the last one, where it is many pages further on. null: nothing. */
export function lastPage(body: PageBody): Continuation | null {
  const page = partsOf(body);
  // A link is the deployment's own word; the numbers beside it may begin with 0 where its pages begin with 1.
  const [last, next] = (['last', 'next'] as const).map((relation) => linkTo(relation, page)?.url);
  if (last !== undefined && next !== undefined) {
    return isFarFrom(queryOf(next), queryOf(last))
      ? { style: 'link to the last page', queries: [queryOf(last)] }
      : null;
  }
  const { pages, current = 1, isFromZero, queriesFor } = numbersOf(page);
  if (pages !== undefined) {
    const end = isFromZero ? pages - 1 : pages;
    return end - current > few ? { style: 'last page', queries: queriesFor(end) } : null;
  }
  const [total, rows] = [totalOf(page) ?? 0, rowsOf(page).length];
  if (rows === 0 || total <= (few + 2) * rows) {
    return null;
  }
  const [lastNumber, offset] = [Math.ceil(total / rows), total - rows];
  const counted =
    next === undefined
      ? undefined
      : Object.entries(queryOf(next)).find(([name, value]) => ['2', String(rows)].includes(value) && !isSizeName(name));
  const query = counted === undefined ? null : { [counted[0]]: counted[1] === '2' ? lastNumber : offset };
  return {
    style: 'total',
    queries: [...(query === null ? [{ page: lastNumber }] : [query]), { [offsetName(page)]: offset }],
  };
}

/** How many rows a page has: `limit=20&offset=20` shows two such numbers. */
const isSizeName = (name: string): boolean =>
  /limit|size|count|per_?page|^(top|first|take|max|rows)$/i.test(name.replace('$', ''));

/** Whether pages lie between two that differ in a number: a page's, or an offset. */
function isFarFrom(next: Query, last: Query): boolean {
  const [name, to] = Object.entries(last).find(([key, value]) => value !== next[key]) ?? ['', ''];
  const from = Number(next[name]);
  return from !== Number(to) && !(Number(to) - from < few);
}

/**
 * Whether a list ends with a page: `ends`, it says so, or it is empty; `goes on`, it says that, or its page is as long as
 * pages usually are and says nothing; `unknown` otherwise. A total that is less than the rows of the page is that of something else.
 */
export function endOf(body: PageBody, before: Before): 'ends' | 'goes on' | 'unknown' {
  const page = partsOf(body);
  const rows = rowsOf(page).length;
  if (nextPage(page, before) !== null) {
    return 'goes on';
  }
  const total = totalOf(page);
  const { pages } = numbersOf(page);
  const isSaid =
    (page.rows !== undefined && rows === 0) ||
    pages !== undefined ||
    (total !== undefined && rows <= total && total <= before.rows + rows) ||
    page.beside.some(
      ({ name, value }) =>
        (isCursorName(name) && /next/i.test(name) && isNothing(value)) ||
        (moreName.test(name) && value === false) ||
        (endName.test(name) && value === true),
    ) ||
    before.isLed === true ||
    (page.header('Link') ?? '').includes('rel=');
  return isSaid ? 'ends' : rows >= 10 && rows % 5 === 0 ? 'goes on' : 'unknown';
}

/** The style of what no answer shows. */
export const guessed = 'not shown';

/** How to ask for more where the answer does not show it, in the usual ways. */
export const guesses = (page: PageBody, before: Before): Continuation => {
  const shown = before.rows + rowsOf(partsOf(page)).length;
  return {
    style: guessed,
    queries: [{ page: before.pages + 2 }, { offset: shown }, { skip: shown }, { limit: 200 }, { per_page: 100 }],
  };
};

/** The other order of a list, where the answer shows a parameter of its order that is ascending. */
export function otherOrder(page: PageBody): Query | null {
  for (const { name, value } of partsOf(page).beside) {
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

const isNothing = (value: unknown): boolean => value === null || value === '' || value === false;
