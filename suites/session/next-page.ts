import { at, isObject, type JsonObject, walk } from '../../common/json.ts';
import { findMainList } from '../../common/main-list.ts';
import { linkTo, type PageBody } from './page-links.ts';

/** How a list goes on: query parameters to try in turn. */
export interface Continuation {
  readonly style: string;
  readonly queries: readonly Query[];
}

export type Query = Readonly<Record<string, string | number>>;

/** What was read of a list before a page. */
export interface Before {
  readonly pages: number;
  readonly rows: number;
  /** The page before showed how to get on: one that does not is the last. */
  readonly isLed?: boolean;
}

const nothing: Before = { pages: 0, rows: 0 };

/** What a page shows of the next one. null: it shows none. */
export const nextPage = (page: PageBody, before: Before = nothing): Continuation | null =>
  byLink(page) ?? byCursor(page) ?? byNumber(page, before) ?? byRemainder(page, before);

/** Fewer further pages are read in their order. */
const few = 3;

/** What a page shows of the last one, where it is many pages further on. null: nothing. */
export function lastPage(page: PageBody): Continuation | null {
  const { pages, current = 1, isFromZero } = numbersOf(page);
  if (pages !== undefined) {
    const last = isFromZero ? pages - 1 : pages;
    return last - current > few ? { style: 'last page', queries: [{ page: last }] } : null;
  }
  const [last, next] = (['last', 'next'] as const).map((relation) => linkTo(relation, page)?.url);
  if (last !== undefined && next !== undefined) {
    return isFarFrom(queryOf(next), queryOf(last))
      ? { style: 'link to the last page', queries: [queryOf(last)] }
      : null;
  }
  const [total, rows] = [totalOf(page) ?? 0, rowsOf(page).length];
  return rows > 0 && total > (few + 2) * rows
    ? { style: 'total', queries: [{ page: Math.ceil(total / rows) }, { [offsetName(page)]: total - rows }] }
    : null;
}

/** Whether pages lie between two that differ in a number: a page's, or an offset. */
function isFarFrom(next: Query, last: Query): boolean {
  const [name, to] = Object.entries(last).find(([key, value]) => value !== next[key]) ?? ['', ''];
  const from = Number(next[name]);
  return from !== Number(to) && !(Number(to) - from < few);
}

/**
 * Whether a list ends with a page: `ends`, it says so, or it is empty; `goes on`, it says that, or its page is as long as
 * pages usually are and says nothing; `unknown` otherwise.
 */
export function endOf(page: PageBody, before: Before = nothing): 'ends' | 'goes on' | 'unknown' {
  const rows = rowsOf(page).length;
  if (nextPage(page, before) !== null) {
    return 'goes on';
  }
  const total = totalOf(page);
  const { pages } = numbersOf(page);
  const isSaid =
    (findMainList(page.json) !== undefined && rows === 0) ||
    pages !== undefined ||
    (total !== undefined && total <= before.rows + rows) ||
    besideRows(page.json).some(
      ({ name, value }) =>
        (cursorName.test(name) && /next/i.test(name) && isNothing(value)) ||
        (moreName.test(name) && value === false) ||
        (/^(is_?)?last$/i.test(name) && value === true),
    ) ||
    before.isLed === true ||
    (page.header('Link') ?? '').includes('rel=');
  return isSaid ? 'ends' : rows >= 10 && rows % 5 === 0 ? 'goes on' : 'unknown';
}

/** The style of what no answer shows. */
export const guessed = 'not shown';

/** How to ask for more where the answer does not show it, in the usual ways. */
export const guesses = (page: PageBody, before: Before): Continuation => {
  const shown = before.rows + rowsOf(page).length;
  return {
    style: guessed,
    queries: [{ page: before.pages + 2 }, { offset: shown }, { skip: shown }, { limit: 200 }, { per_page: 100 }],
  };
};

/** The other order of a list, where the answer shows a parameter of its order that is ascending. */
export function otherOrder({ json }: PageBody): Query | null {
  for (const { name, value } of besideRows(json)) {
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

const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*/, '')));

function byLink(page: PageBody): Continuation | null {
  const next = linkTo('next', page);
  return next === undefined ? null : { style: next.style, queries: [queryOf(next.url)] };
}

const cursorName =
  /^(next|next_?(cursor|page|page_?token|token|marker|key|offset)|(x-)?cursor|after|end_?cursor|continuation(_?token)?|@odata\.nextLink|scroll_?id|last_?(evaluated_?)?key)$/i;
const moreName = /^(has_?(more|next(_?page)?)|more|is_?truncated)$/i;

const isNothing = (value: unknown): boolean => value === null || value === '' || value === false;

/** Values beside the rows: what stands in a row says nothing of the list. */
const besideRows = (json: unknown): ReturnType<typeof walk> => {
  const list = findMainList(json)?.pointer;
  return walk(json).filter(
    ({ isInList, pointer }) => !isInList && (list === undefined || list === '' || !pointer.startsWith(`${list}/`)),
  );
};

function byCursor({ json, header }: PageBody): Continuation | null {
  const named = besideRows(json).find(
    ({ name, value }) =>
      cursorName.test(name) &&
      ((typeof value === 'string' && value !== '') || (typeof value === 'number' && value > 0)),
  );
  const more = besideRows(json).find(({ name }) => moreName.test(name))?.value;
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
  const bare = field.replace(/^next_?/i, '');
  const first = bare.charAt(0).toLowerCase() + bare.slice(1);
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

const numberIn = (json: unknown, names: RegExp): number | undefined =>
  besideRows(json)
    .map(({ name, value }) => (names.test(name) && typeof value === 'number' ? value : undefined))
    .find((value) => value !== undefined);

const headerNumber = ({ header }: PageBody, name: string): number | undefined => {
  const text = header(name) ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
};

/** The page's number, and how many there are, as far as the answer shows them. */
function numbersOf(page: PageBody): { pages: number | undefined; current: number | undefined; isFromZero: boolean } {
  const { json } = page;
  const pages =
    numberIn(json, /^(pages|total_?pages|page_?count|last_?page|num_?pages)$/i) ?? headerNumber(page, 'X-Total-Pages');
  const current = numberIn(json, /^(page|current_?page|page_?(number|index)|number)$/i) ?? headerNumber(page, 'X-Page');
  return { pages, current, isFromZero: current === 0 };
}

function byNumber(page: PageBody, { pages: seen }: Before): Continuation | null {
  const { pages, current = seen + 1 } = numbersOf(page);
  // The last of pages that count from zero is the one before their number; nothing but the first page shows that they do.
  const isSpring = numberIn(page.json, /^number$/) !== undefined;
  const last = pages === undefined ? undefined : isSpring && current <= seen ? pages - 1 : pages;
  return last !== undefined && current < last ? { style: 'page number', queries: [{ page: current + 1 }] } : null;
}

const rowsOf = ({ json }: PageBody): readonly JsonObject[] => findMainList(json)?.rows ?? [];

/** How many records there are in all, where the answer shows it. */
function totalOf(page: PageBody): number | undefined {
  const range = /\/(\d+)$/.exec(page.header('Content-Range') ?? '')?.[1];
  return (
    numberIn(
      page.json,
      /^(total|total_?(count|results|items|records|elements|rows|hits)|hydra:totalItems|@odata\.count)$/i,
    ) ??
    headerNumber(page, 'X-Total-Count') ??
    headerNumber(page, 'X-Total') ??
    (range === undefined ? undefined : Number(range)) ??
    numberIn(page.json, /^count$/i)
  );
}

/** The name of the parameter that says where a page begins: the answer may show it. */
const offsetName = ({ json }: PageBody): string =>
  besideRows(json).find(
    ({ name, value }) => /^(offset|skip|start|start_?index|from)$/i.test(name) && typeof value === 'number',
  )?.name ?? 'offset';

/** A total larger than what was shown, or a flag that says there is more, without saying how to get there. */
function byRemainder(page: PageBody, before: Before): Continuation | null {
  const rows = rowsOf(page);
  const shown = before.rows + rows.length;
  const total = totalOf(page);
  const flag = besideRows(page.json).find(
    ({ name, value }) => moreName.test(name) && typeof value === 'boolean',
  )?.value;
  const hasMore =
    flag === true ||
    (flag === undefined && besideRows(page.json).some(({ name, value }) => name === 'last' && value === false));
  if (rows.length === 0 || (!hasMore && (flag === false || total === undefined || total <= shown))) {
    return null;
  }
  const last = rows.at(-1);
  const id = isObject(last) ? at(last, '/id') : undefined;
  const afterLast = typeof id === 'string' || typeof id === 'number' ? [{ starting_after: id }, { after: id }] : [];
  return {
    style: hasMore ? 'has_more' : 'total',
    queries: [{ page: before.pages + 2 }, { [offsetName(page)]: shown }, ...afterLast],
  };
}
