import { scalarText } from '../../common/json.ts';
import { idsOfLast } from './id-fields.ts';
import { linkTo, type PageBody } from './page-links.ts';
import {
  type Continuation,
  isCursorName,
  metadataNumber,
  moreName,
  offsetName,
  type PageParts,
  pageNumbersOf,
  parameterName,
  partsOf,
  queryOf,
  type ReadSoFar,
  rowsOf,
  totalOf,
} from './page-parts.ts';

const nothingRead: ReadSoFar = { pages: 0, rows: 0 };

/** How to get to the next page, as a page shows it; null: it shows no next page. */
export function nextPage(body: PageBody | PageParts, before: ReadSoFar = nothingRead): Continuation | null {
  const page = partsOf(body);
  if (page.next !== undefined) {
    return byTold(page.next);
  }
  return byLink(page) ?? byCursor(page) ?? byCursorHeader(page) ?? byNumber(page, before) ?? byRemainder(page, before);
}

/** The next page by what the user said holds it: a link, a cursor or a number. */
function byTold({ name, value }: NonNullable<PageBody['next']>): Continuation | null {
  const text = scalarText(value);
  if (text === null || text === '') {
    return null;
  }
  const queries = text.includes('?') ? [queryOf(text)] : cursorParameters(name).map((one) => ({ [one]: text }));
  return { style: `told: ${name}`, queries };
}

function byLink(page: PageBody): Continuation | null {
  const next = linkTo('next', page);
  return next === undefined ? null : { style: next.style, queries: [queryOf(next.url)] };
}

/** Longer cursors go into no URL: most servers take eight thousand characters of it. */
const longestCursor = 8_000;

function byCursor({ metadata }: PageParts): Continuation | null {
  const cursor = metadata.find(
    ({ name, value }) =>
      (typeof value === 'string' &&
        value !== '' &&
        value.length <= longestCursor &&
        (isCursorName(name) || /^(offset|marker|bookmark)$/i.test(name))) ||
      (typeof value === 'number' && value > 0 && isCursorName(name)),
  );
  if (cursor === undefined || metadata.find(({ name }) => moreName.test(name))?.value === false) {
    return null;
  }
  const { name, value } = cursor as { name: string; value: string | number };
  return { style: `cursor in ${name}`, queries: cursorParameters(name).map((parameter) => ({ [parameter]: value })) };
}

function byCursorHeader({ header }: PageParts): Continuation | null {
  const name = ['X-Next-Cursor', 'X-Next-Page-Token', 'X-Next-Page'].find((one) => (header(one) ?? '') !== '');
  if (name === undefined) {
    return null;
  }
  const parameters = cursorParameters(name.slice('X-'.length).replaceAll('-', '_').toLowerCase());
  return {
    style: `header ${name}`,
    queries: parameters.map((parameter) => ({ [parameter]: header(name) ?? '' })),
  };
}

/** The parameters that may take the cursor of a field, likeliest first. */
function cursorParameters(field: string): string[] {
  const first = parameterName(field.replace(/^next[_-]?/i, ''));
  const names = [
    first,
    first.toLowerCase(),
    field,
    parameterName(field),
    'cursor',
    'after',
    'page',
    'page_token',
    'starting_after',
    'offset',
  ];
  return [...new Set(names)].filter((name) => name !== '');
}

function byNumber(page: PageParts, { pages: read }: ReadSoFar): Continuation | null {
  const { pages, current = read + 1, queriesFor } = pageNumbersOf(page);
  if (pages === undefined) {
    return null;
  }
  // `number` is Spring's, which counts from 0: its last page is one less than their count. That it counts so shows only
  // once pages were read.
  const isFromZero = metadataNumber(page, /^number$/) !== undefined && current <= read;
  const last = isFromZero ? pages - 1 : pages;
  return current < last ? { style: 'page number', queries: queriesFor(current + 1) } : null;
}

/** A flag, or a total above the rows read so far, shows that there is more, but not how to get there. */
function byRemainder(page: PageParts, before: ReadSoFar): Continuation | null {
  const rows = rowsOf(page);
  const read = before.rows + rows.length;
  const total = totalOf(page);
  const moreFlag = page.metadata.find(({ name, value }) => moreName.test(name) && typeof value === 'boolean')?.value;
  const isNotLast = page.metadata.some(({ name, value }) => name === 'last' && value === false);
  const hasMore = moreFlag === true || (moreFlag === undefined && isNotLast);
  const isTotalLarger = moreFlag !== false && total !== undefined && total > read;
  if (rows.length === 0 || (!hasMore && !isTotalLarger)) {
    return null;
  }
  const lastIds = idsOfLast(rows);
  // A field that repeats an id of the last row most likely has the name of the parameter.
  const repeatedIds = page.metadata.flatMap(({ name, value }) => {
    const text = scalarText(value);
    return text !== null && lastIds.includes(text) ? [{ [parameterName(name)]: text }] : [];
  });
  return {
    style: hasMore ? 'has_more' : 'total',
    queries: [
      ...pageNumbersOf(page).queriesFor(before.pages + 2),
      { [offsetName(page)]: read },
      ...lastIds.flatMap((id) => [{ starting_after: id }, { after: id }]),
      ...repeatedIds,
    ],
  };
}
