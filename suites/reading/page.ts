import { scalarText } from '../../common/json.ts';
import { snakeCase } from '../../common/words.ts';
import {
  type Continuation,
  linkTo,
  offsetName,
  type Page,
  type PageBody,
  pageNumbersOf,
  parameterName,
  parsed,
  type Query,
  queryOf,
  type ReadSoFar,
  totalOf,
} from './page-parts.ts';

// How a list goes on, as one of its pages shows it: by a link, a cursor, the number of the page, or a flag or total that
// says there is more.

/** How to get to the next page, as a page shows it; null: it shows no next page. */
export const nextPage = (body: PageBody, before: ReadSoFar = { pages: 0, rows: 0 }): Continuation | null =>
  nextOf(parsed(body), before);

function nextOf(page: Page, before: ReadSoFar): Continuation | null {
  if (page.next !== undefined) {
    return byTold(page.next);
  }
  const link = linkTo('next', page);
  return link === undefined
    ? (byCursor(page) ?? byNumber(page, before) ?? byRemainder(page, before))
    : { style: link.style, queries: [queryOf(link.url)] };
}

/** The next page by what the user said holds it: a link, a cursor or a number. */
function byTold({ name, value }: NonNullable<PageBody['next']>): Continuation | null {
  const text = scalarText(value);
  if (text === null || text === '') {
    return null;
  }
  return { style: `told: ${name}`, queries: text.includes('?') ? [queryOf(text)] : cursorQueries(name, text) };
}

/** Names of fields that hold a cursor, besides those that begin with `next`. */
const cursorName =
  /^(cursor|after|end_?cursor|continuation(_?token)?|scroll_?id|last_?(evaluated_?)?key|offset|marker|bookmark)$/i;
/** Last words of fields that say when something comes next, such as `next_run`. */
const times = ['at', 'on', 'in', 'date', 'time', 'day', 'run', 'reset'];

const isNextName = (name: string): boolean => {
  const words = snakeCase(name).split(/[_.-]/);
  return words[0] === 'next' && !times.includes(words.at(-1) ?? '');
};

/** Longer cursors go into no URL: most servers take eight thousand characters of it. */
const longestCursor = 8_000;

function byCursor({ metadata, header }: Page): Continuation | null {
  if (metadata.find(({ name }) => moreName.test(name))?.value === false) {
    return null;
  }
  const isCursor = (value: unknown): value is string | number =>
    typeof value === 'string' ? value !== '' && value.length <= longestCursor : typeof value === 'number' && value > 0;
  const field = metadata.find(
    ({ name, value }) => isCursor(value) && (isNextName(name) || (cursorName.test(name) && typeof value === 'string')),
  );
  if (field !== undefined) {
    return { style: `cursor in ${field.name}`, queries: cursorQueries(field.name, scalarText(field.value) ?? '') };
  }
  // GitLab's header.
  const nextNumber = header('X-Next-Page');
  return isCursor(nextNumber) ? { style: 'header X-Next-Page', queries: [{ page: nextNumber }] } : null;
}

/** Queries with the parameters that may take the cursor of a field, likeliest first: `nextPageToken` is `pageToken`. */
function cursorQueries(field: string, cursor: string): readonly Query[] {
  const names = [field.replace(/^next[_-]?/i, ''), field].map(parameterName);
  const all = [...names, names[0]?.toLowerCase() ?? '', 'cursor', 'after', 'page', 'page_token', 'starting_after'];
  return [...new Set(all)].filter((name) => name !== '').map((name) => ({ [name]: cursor }));
}

function byNumber(page: Page, before: ReadSoFar): Continuation | null {
  const { last, current, queriesFor } = pageNumbersOf(page, before);
  return last !== undefined && current < last ? { style: 'page number', queries: queriesFor(current + 1) } : null;
}

/** Names of flags that say whether there is more, and that there is no more. */
const moreName = /^(has_?(more|next(_?page)?)|more|is_?truncated)$/i;
const endName = /^(is_?)?(last(_?page)?|done|complete|finished)$/i;

/** A flag, or a total above the rows read so far, shows that there is more, but not how to get there. */
function byRemainder(page: Page, before: ReadSoFar): Continuation | null {
  const { rows = [], metadata } = page;
  const read = before.rows + rows.length;
  const more = metadata.find(({ name, value }) => moreName.test(name) && typeof value === 'boolean')?.value;
  const hasMore = more === true || (more === undefined && metadata.some((one) => one.name === 'last' && !one.value));
  const isTotalLarger = more !== false && (totalOf(page) ?? 0) > read;
  if (rows.length === 0 || (!hasMore && !isTotalLarger)) {
    return null;
  }
  const id = scalarText(rows.at(-1)?.id);
  return {
    style: hasMore ? 'has_more' : 'total',
    queries: [
      ...pageNumbersOf(page, before).queriesFor(before.pages + 2),
      { [offsetName(page)]: read },
      ...(id === null ? [] : [{ starting_after: id }, { after: id }]),
    ],
    isGuessed: true,
  };
}

/**
 * Whether a list ends with a page. `ends`: the page says so, or is empty. `goes on`: it says that, or it says nothing
 * and is as long as pages usually are. `unknown` otherwise. A total below the rows of the page counts something else.
 */
export function endOf(body: PageBody, before: ReadSoFar): 'ends' | 'goes on' | 'unknown' {
  const page = parsed(body);
  const rows = (page.rows ?? []).length;
  if (nextOf(page, before) !== null) {
    return 'goes on';
  }
  if (showsEnd(page, before)) {
    return 'ends';
  }
  return rows >= 10 && rows % 5 === 0 ? 'goes on' : 'unknown';
}

/** Whether a page without a next one shows that it is the last: it is empty, or its metadata says so. */
function showsEnd(page: Page, before: ReadSoFar): boolean {
  const rows = (page.rows ?? []).length;
  const total = totalOf(page);
  const isNothing = (value: unknown): boolean => value === null || value === '' || value === false;
  return (
    page.next !== undefined ||
    (page.rows !== undefined && rows === 0) ||
    pageNumbersOf(page, before).last !== undefined ||
    (total !== undefined && rows <= total && total <= before.rows + rows) ||
    page.metadata.some(
      ({ name, value }) =>
        (isNextName(name) && isNothing(value)) ||
        (moreName.test(name) && value === false) ||
        (endName.test(name) && value === true),
    ) ||
    before.previousShowedNext === true ||
    (page.header('Link') ?? '').includes('rel=')
  );
}

/** Up to this many further pages are read in their order; beyond that the last page is far. */
const few = 3;

/** How to get to the last page of a list, where the first shows it and it is far; null otherwise. */
export function lastPage(body: PageBody): Continuation | null {
  const page = parsed(body);
  const [next, last] = [linkTo('next', page), linkTo('last', page)].map((link) => queryOf(link?.url ?? '')) as [
    Query,
    Query,
  ];
  if (Object.entries(last).some(([name, to]) => Number(to) - Number(next[name]) > few)) {
    return { style: 'link to the last page', queries: [last], isGuessed: true };
  }
  const numbers = pageNumbersOf(page, { pages: 0, rows: 0 });
  if (numbers.last !== undefined) {
    const isFar = numbers.last - numbers.current > few;
    return isFar ? { style: 'last page', queries: numbers.queriesFor(numbers.last), isGuessed: true } : null;
  }
  // From the total, in the terms of the link to the second page: `page=2`, or as offset the rows of one page.
  const [total, rows] = [totalOf(page) ?? 0, (page.rows ?? []).length];
  if (rows === 0 || total <= (few + 2) * rows) {
    return null;
  }
  const offset = Object.keys(next).find(
    (name) => next[name] === String(rows) && !/limit|size|count|per_?page/i.test(name),
  );
  const byPage = Object.keys(next).find((name) => next[name] === '2') ?? 'page';
  return {
    style: 'total',
    queries: [offset === undefined ? { [byPage]: Math.ceil(total / rows) } : { [offset]: total - rows }],
    isGuessed: true,
  };
}
