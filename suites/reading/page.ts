import { at, type Found, isRows, scalarText, walk } from '../../common/json.ts';
import { snakeCase } from '../../common/words.ts';
import { findMainList } from './rows.ts';

// How a list goes on, as one of its pages shows it: by a link, a cursor, the number of the page, or a flag or total
// that says there is more.

/** The body of a page, and its headers. */
interface PageBody {
  readonly json: unknown;
  header(name: string): string | null;
  /** How the list goes on, where the user says in which field. */
  readonly next?: { readonly name: string; readonly value: unknown } | undefined;
  /** Its rows, with what is told of their places; undefined: they are looked for. */
  readonly payload?: unknown;
}

export type Query = Readonly<Record<string, string | number>>;

/** How much of a list was read before a page. */
export interface ReadSoFar {
  readonly pages: number;
  readonly rows: number;
  /** The page before showed its next one: a page that shows none is the last then. */
  readonly previousShowedNext?: boolean;
}

/** How to get to another page of a list. */
export interface Continuation {
  /** What in the answer shows it, in words. */
  readonly style: string;
  /** Query parameters to try in turn. */
  readonly queries: readonly Query[];
  /** Nothing shows that these parameters lead there: only new rows do. */
  readonly isGuessed?: boolean;
}

/** What a page shows of its list. */
interface PageSigns {
  /** How to get to the next page; null: it shows none. */
  readonly next: Continuation | null;
  /** How to get to the last page, where the first shows it and it is beyond those that are read; null otherwise. */
  readonly last: Continuation | null;
  /**
   * Whether the list ends here. `ends`: the page says so, or is empty. `goes on`: it says that, or it says nothing and
   * is as long as pages usually are. `unknown` otherwise. A total below the rows of the page counts something else.
   */
  readonly end: 'ends' | 'goes on' | 'unknown';
}

/** How to get to the next page, as a page shows it; null: it shows no next page. */
export const nextPage = (body: PageBody): Continuation | null => pageSigns(body).next;

/** Most further pages that are read: a list is searched for a record, and need not be walked to its end. */
export const mostPages = 20;

/** Reads the signs of a page. */
export function pageSigns(body: PageBody, before: ReadSoFar = { pages: 0, rows: 0 }): PageSigns {
  const page = parsed(body, before);
  const { length } = page.rows ?? [];
  const next = nextOf(page);
  const isFull = length >= 10 && length % 5 === 0;
  const end = next !== null ? 'goes on' : showsEnd(page) ? 'ends' : isFull ? 'goes on' : 'unknown';
  return { next, last: before.pages === 0 ? lastOf(page) : null, end };
}

/** A page with its rows, the values outside them, and the numbers among these. */
type Page = ReturnType<typeof parsed>;

function parsed(body: PageBody, before: ReadSoFar) {
  const { json, header, payload } = body;
  const list = findMainList(json);
  const isOutside = ({ isInList, pointer }: Found): boolean =>
    !isInList && (list === undefined || list.pointer === '' || !pointer.startsWith(`${list.pointer}/`));
  const metadata = walk(json).filter(isOutside);
  // Rows at an unusual place are the payload alone.
  const rows = isRows(payload) ? payload : list?.rows;
  const inHeader = (name: string): number | undefined =>
    /^\d+$/.test(header(name) ?? '') ? Number(header(name)) : undefined;
  const shown = numberIn(metadata, pageNumberName);
  const names = new Set(['page', ...(shown === undefined ? [] : [parameterName(shown.name)])]);
  const count = numberIn(metadata, /^count$/i)?.value ?? 0;
  const range = /\/(\d+)$/.exec(header('Content-Range') ?? '')?.[1];
  return {
    ...body,
    before,
    /** undefined: no list was found. */
    rows,
    metadata,
    /** How many pages the list has; undefined where the answer does not show it. */
    pages: numberIn(metadata, pageCountName)?.value,
    /** The queries for a page so far behind this one. It may show its number from 0 on, and take it from 1 on. */
    queriesFor: (behind: number): readonly Query[] =>
      [...new Set([(shown?.value ?? before.pages + 1) + behind, before.pages + 1 + behind])].flatMap((number) =>
        [...names].map((name): Query => ({ [name]: number })),
      ),
    /** How many records the list has in all; undefined where the answer does not show it. */
    total:
      numberIn(metadata, totalName)?.value ??
      inHeader('X-Total-Count') ??
      inHeader('X-Total') ??
      (range === undefined ? undefined : Number(range)) ??
      // `count` often counts the rows of the page alone.
      (count > (rows ?? []).length ? count : undefined),
  };
}

const pageCountName = /^(pages|total_?pages|page_?count|last_?page|num_?pages)$/i;
const pageNumberName = /^(page|current_?page|page_?(number|index)|number)$/i;
const totalName =
  /^(total|total_?(count|results|items|records|elements|rows|hits|size)|hydra:totalItems|@odata\.count)$/i;

/** The first number in the metadata with one of these names: plain, or as digits. */
const numberIn = (metadata: readonly Found[], names: RegExp) =>
  metadata.flatMap(({ name, value }) => {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
    return names.test(name) && isNumber ? [{ name, value: Number(value) }] : [];
  })[0];

/** The parameter that goes with a field: `PageIndex` is asked for as `pageIndex`. */
const parameterName = (field: string): string => field.charAt(0).toLowerCase() + field.slice(1);

/** The query parameters of a URL. */
const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*/, '')));

/** A page's link to the next or last page, and where it is, in words: in a Link header (RFC 8288), or in a field. */
function linkTo(relation: 'next' | 'last', { metadata, header }: Page): Continuation | undefined {
  // `next`, `next_page_url`, `nextRecordsUrl`, `@odata.nextLink`, `hydra:next`: a link, or an object that has one.
  const linkName = new RegExp(
    `^(@?\\w+[.:])?${relation}(_?(page|cursor|token|offset)|_?[a-z]*?_?(url|link|href|uri|path))?$`,
    'i',
  );
  const inHeader = new RegExp(`<([^<>]*)>\\s*;[^,<]*rel="?${relation}"?`, 'i').exec(header('Link') ?? '')?.[1];
  if (inHeader !== undefined) {
    return { style: 'Link header', queries: [queryOf(inHeader)] };
  }
  const isLink = (value: unknown): value is string => typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value);
  return metadata.flatMap((found) => {
    const url = [found.value, at(found.value, '/href'), at(found.value, '/url')].find(isLink);
    return url === undefined || !linkName.test(found.name)
      ? []
      : [{ style: `link in ${found.name}`, queries: [queryOf(url)] }];
  })[0];
}

/** Names of fields that say where a page begins. */
const offsetName = /^(offset|skip|start(_?(index|at))?|from)$/i;
/** Names of flags that say whether there is more, and that there is no more. */
const moreName = /^(has_?(more|next(_?page)?)|more|is_?truncated)$/i;
const endName = /^(is_?)?(last(_?page)?|done|complete|finished)$/i;
/** Names of fields that hold a cursor, besides those that begin with `next`. */
const cursorName =
  /^(cursor|after|end_?cursor|continue|continuation(_?token)?|scroll_?id|last_?(evaluated_?)?key|offset|marker|bookmark)$/i;
/** Headers that hold a cursor, as Lokalise's and Oracle's. */
const nextHeaders = ['X-Next-Cursor', 'X-Pagination-Next-Cursor', 'opc-next-page'];
/** `next`, `nextPageToken`; not `next_run` and `next_at`, which say when something comes next. */
const isNextName = (name: string): boolean =>
  /^next(?![a-z])(?!.*[_.-](at|on|in|date|time|day|run|reset)$)/.test(snakeCase(name));

function nextOf(page: Page): Continuation | null {
  if (page.next !== undefined) {
    // The user said what holds it: a link, a cursor or a number.
    const { name, value } = page.next;
    const text = scalarText(value) ?? '';
    const queries = text.includes('?') ? [queryOf(text)] : cursorQueries(name, text);
    return text === '' ? null : { style: `told: ${name}`, queries };
  }
  return linkTo('next', page) ?? byHeader(page) ?? byCursor(page) ?? byRemainder(page);
}

function byHeader({ header }: Page): Continuation | null {
  const name = nextHeaders.find((one) => header(one));
  const field = name?.replace(/^.*next-/i, 'next_') ?? '';
  return name === undefined ? null : { style: `header ${name}`, queries: cursorQueries(field, header(name) ?? '') };
}

/** Longer cursors go into no URL: most servers take eight thousand characters of it. */
const longestCursor = 8_000;

function byCursor({ metadata }: Page): Continuation | null {
  if (metadata.find(({ name }) => moreName.test(name))?.value === false) {
    return null;
  }
  const isCursor = (value: unknown): value is string | number =>
    typeof value === 'string' ? value !== '' && value.length <= longestCursor : typeof value === 'number' && value > 0;
  const field = metadata.find(
    ({ name, value }) => isCursor(value) && (isNextName(name) || (cursorName.test(name) && typeof value === 'string')),
  );
  return field === undefined
    ? null
    : { style: `cursor in ${field.name}`, queries: cursorQueries(field.name, scalarText(field.value) ?? '') };
}

/**
 * Queries with the parameters that may take the cursor of a field, likeliest first: `nextPageToken` is `pageToken`, and
 * Qdrant's `next_page_offset` is `offset`; DynamoDB's LastEvaluatedKey is where the next page starts.
 */
function cursorQueries(field: string, cursor: string): readonly Query[] {
  const last = snakeCase(field).replace(/^.*_/, '');
  const starts = last === 'key' ? ['exclusiveStartKey', 'startKey'] : [last];
  const names = [field.replace(/^next[_-]?/i, ''), field, ...starts].map(parameterName);
  const all = [...names, names[0]?.toLowerCase() ?? '', 'cursor', 'after', 'page', 'page_token', 'starting_after'];
  return [...new Set(all)].filter((name) => name !== '').map((name) => ({ [name]: cursor }));
}

/** A flag, a count of pages, or a total above the rows read so far, shows that there is more, but not how to get it. */
function byRemainder({ rows = [], metadata, before, pages, total = 0, queriesFor }: Page): Continuation | null {
  const read = before.rows + rows.length;
  const flag = metadata.find(({ name, value }) => moreName.test(name) && typeof value === 'boolean')?.value;
  const hasMore = flag === true || (flag === undefined && metadata.some((one) => one.name === 'last' && !one.value));
  const isMore = hasMore || (flag !== false && (pages === undefined ? total > read : pages > before.pages + 1));
  if (rows.length === 0 || !isMore) {
    return null;
  }
  const id = scalarText(rows.at(-1)?.id);
  return {
    style: pages !== undefined ? 'page number' : hasMore ? 'has_more' : 'total',
    queries: [
      ...queriesFor(1),
      { [numberIn(metadata, offsetName)?.name ?? 'offset']: read },
      ...(id === null ? [] : [{ starting_after: id }, { after: id }]),
    ],
    isGuessed: pages === undefined,
  };
}

/** A list that is longer than it is read, oldest first, shows a new record at its end. */
function lastOf(page: Page): Continuation | null {
  const { rows = [], metadata, total = 0, pages = Math.ceil(total / Math.max(1, rows.length)), queriesFor } = page;
  const link = linkTo('last', page)?.queries ?? [];
  const isFar = pages > mostPages || link.some((query) => Object.values(query).some((to) => Number(to) > mostPages));
  const offset = { [numberIn(metadata, offsetName)?.name ?? 'offset']: total - rows.length };
  const queries = link.length > 0 ? link : [...queriesFor(pages - 1), ...(total > 0 ? [offset] : [])];
  return isFar ? { style: 'the last page', queries, isGuessed: true } : null;
}

/** Whether a page without a next one shows that it is the last: it is empty, or its metadata says so. */
function showsEnd({ next, rows, pages, total, metadata, before, header }: Page): boolean {
  const length = (rows ?? []).length;
  const isNothing = (value: unknown): boolean => value === null || value === '' || value === false;
  return (
    next !== undefined ||
    (rows !== undefined && length === 0) ||
    pages !== undefined ||
    (total !== undefined && length <= total && total <= before.rows + length) ||
    metadata.some(
      ({ name, value }) =>
        (isNextName(name) && isNothing(value)) ||
        (moreName.test(name) && value === false) ||
        (endName.test(name) && value === true),
    ) ||
    before.previousShowedNext === true ||
    (header('Link') ?? '').includes('rel=')
  );
}
