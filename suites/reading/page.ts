import { scalarText } from '../../common/json.ts';
import { snakeCase } from '../../common/words.ts';
import {
  linkTo,
  numberIn,
  type Page,
  type PageBody,
  parameterName,
  parsed,
  type Query,
  queryOf,
  type ReadSoFar,
} from './page-parts.ts';

// How a list goes on, as one of its pages shows it: by a link, a cursor, the number of the page, or a flag or total
// that says there is more.

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
  /** How to get to the last page, where the first shows it and it is far; null otherwise. */
  readonly last: Continuation | null;
  /**
   * Whether the list ends here. `ends`: the page says so, or is empty. `goes on`: it says that, or it says nothing and
   * is as long as pages usually are. `unknown` otherwise. A total below the rows of the page counts something else.
   */
  readonly end: 'ends' | 'goes on' | 'unknown';
}

/** How to get to the next page, as a page shows it; null: it shows no next page. */
export const nextPage = (body: PageBody): Continuation | null => pageSigns(body).next;

/** Reads the signs of a page. */
export function pageSigns(body: PageBody, before: ReadSoFar = { pages: 0, rows: 0 }): PageSigns {
  const page = parsed(body, before);
  const { length } = page.rows ?? [];
  const next = nextOf(page);
  const isFull = length >= 10 && length % 5 === 0;
  const end = next !== null ? 'goes on' : showsEnd(page) ? 'ends' : isFull ? 'goes on' : 'unknown';
  return { next, last: before.pages === 0 ? lastOf(page) : null, end };
}

/** Names of fields that say where a page begins. */
const offsetName = /^(offset|skip|start(_?(index|at))?|from)$/i;
/** Names of flags that say whether there is more, and that there is no more. */
const moreName = /^(has_?(more|next(_?page)?)|more|is_?truncated)$/i;
const endName = /^(is_?)?(last(_?page)?|done|complete|finished)$/i;
/** Names of fields that hold a cursor, besides those that begin with `next`. */
const cursorName =
  /^(cursor|after|end_?cursor|continuation(_?token)?|scroll_?id|last_?(evaluated_?)?key|offset|marker|bookmark)$/i;
/** Last words of fields that say when something comes next, such as `next_run`. */
const times = ['at', 'on', 'in', 'date', 'time', 'day', 'run', 'reset'];

const isNextName = (name: string): boolean => {
  const words = snakeCase(name).split(/[_.-]/);
  return words[0] === 'next' && !times.includes(words.at(-1) ?? '');
};

function nextOf(page: Page): Continuation | null {
  if (page.next !== undefined) {
    // The user said what holds it: a link, a cursor or a number.
    const [{ name }, text] = [page.next, scalarText(page.next.value) ?? ''];
    const queries = text.includes('?') ? [queryOf(text)] : cursorQueries(name, text);
    return text === '' ? null : { style: `told: ${name}`, queries };
  }
  const link = linkTo('next', page);
  return link === undefined
    ? (byCursor(page) ?? byNumber(page) ?? byRemainder(page))
    : { style: link.style, queries: [queryOf(link.url)] };
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

/** Queries with the parameters that may take the cursor of a field, likeliest first: `nextPageToken` is `pageToken`. */
function cursorQueries(field: string, cursor: string): readonly Query[] {
  const names = [field.replace(/^next[_-]?/i, ''), field].map(parameterName);
  const all = [...names, names[0]?.toLowerCase() ?? '', 'cursor', 'after', 'page', 'page_token', 'starting_after'];
  return [...new Set(all)].filter((name) => name !== '').map((name) => ({ [name]: cursor }));
}

const byNumber = ({ lastNumber, current, queriesFor }: Page): Continuation | null =>
  lastNumber !== undefined && current < lastNumber ? { style: 'page number', queries: queriesFor(current + 1) } : null;

/** A flag, or a total above the rows read so far, shows that there is more, but not how to get there. */
function byRemainder({ rows = [], metadata, before, current, total = 0, queriesFor }: Page): Continuation | null {
  const read = before.rows + rows.length;
  const more = metadata.find(({ name, value }) => moreName.test(name) && typeof value === 'boolean')?.value;
  const hasMore = more === true || (more === undefined && metadata.some((one) => one.name === 'last' && !one.value));
  if (rows.length === 0 || !(hasMore || (more !== false && total > read))) {
    return null;
  }
  const id = scalarText(rows.at(-1)?.id);
  return {
    style: hasMore ? 'has_more' : 'total',
    queries: [
      // A page may show its number from 0 on, and take it from 1 on.
      ...[...new Set([current + 1, before.pages + 2])].flatMap(queriesFor),
      { [numberIn(metadata, offsetName)?.name ?? 'offset']: read },
      ...(id === null ? [] : [{ starting_after: id }, { after: id }]),
    ],
    isGuessed: true,
  };
}

/** Whether a page without a next one shows that it is the last: it is empty, or its metadata says so. */
function showsEnd({ next, rows, lastNumber, total, metadata, before, header }: Page): boolean {
  const length = (rows ?? []).length;
  const isNothing = (value: unknown): boolean => value === null || value === '' || value === false;
  return (
    next !== undefined ||
    (rows !== undefined && length === 0) ||
    lastNumber !== undefined ||
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

/** Up to this many further pages are read in their order; beyond that the last page is far. */
const few = 3;

function lastOf(page: Page): Continuation | null {
  const { rows = [], total = 0, lastNumber, current, queriesFor } = page;
  const [next, last] = [queryOf(linkTo('next', page)?.url ?? ''), queryOf(linkTo('last', page)?.url ?? '')];
  const isFar = Object.entries(last).some(([name, to]) => Number(to) - Number(next[name]) > few);
  if (isFar) {
    return { style: 'link to the last page', queries: [last], isGuessed: true };
  }
  if (lastNumber !== undefined) {
    return lastNumber - current > few ? { style: 'last page', queries: queriesFor(lastNumber), isGuessed: true } : null;
  }
  // From the total, in the terms of the link to the second page: `page=2`, or as offset the rows of one page.
  if (rows.length === 0 || total <= (few + 2) * rows.length) {
    return null;
  }
  const named = (value: string): string | undefined =>
    Object.keys(next).find((name) => next[name] === value && !/limit|size|count|per_?page/i.test(name));
  const offset = named(String(rows.length));
  const query =
    offset === undefined
      ? { [named('2') ?? 'page']: Math.ceil(total / rows.length) }
      : { [offset]: total - rows.length };
  return { style: 'total', queries: [query], isGuessed: true };
}
