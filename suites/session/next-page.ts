import { at, findLists, isObject, walk } from '../../common/json.ts';

/** Of an answer, what may say how a list goes on. */
export interface PageBody {
  readonly json: unknown;
  header(name: string): string | null;
}

/** How a list goes on: query parameters to try in turn. */
export interface Continuation {
  readonly style: string;
  readonly queries: readonly Readonly<Record<string, string | number>>[];
}

/** What was read of a list before a page. */
export interface Before {
  readonly pages: number;
  readonly rows: number;
}

const nothing: Before = { pages: 0, rows: 0 };

/** What a page shows of the next one. null: it shows none. */
export const nextPage = (page: PageBody, before: Before = nothing): Continuation | null =>
  byLink(page) ?? byCursor(page.json) ?? byNumber(page.json, before) ?? byRemainder(page.json, before);

const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*/, '')));

function byLink(page: PageBody): Continuation | null {
  const next = /<([^<>]*)>\s*;[^,<]*rel="?next"?/i.exec(page.header('Link') ?? '')?.[1];
  return next === undefined ? null : { style: 'Link header', queries: [queryOf(next)] };
}

const cursorName =
  /^(next|next_?(cursor|page|page_?token|token|url|link|offset)|cursor|after|end_?cursor|continuation(_?token)?)$/i;

/** Values beside the rows: what stands in a row says nothing of the list. */
const besideRows = (json: unknown): ReturnType<typeof walk> => walk(json).filter(({ isInList }) => !isInList);

function byCursor(json: unknown): Continuation | null {
  for (const { name, value } of besideRows(json)) {
    const isText = typeof value === 'string' && value !== '';
    if (!cursorName.test(name) || !(isText || (typeof value === 'number' && value > 0))) {
      continue;
    }
    return isText && /^(https?:\/\/|\/|\?)/.test(value)
      ? { style: `link in ${name}`, queries: [queryOf(value)] }
      : { style: `cursor in ${name}`, queries: cursorNames(name).map((parameter) => ({ [parameter]: value })) };
  }
  return null;
}

/** The parameters that may take the cursor of a field, likeliest first. */
function cursorNames(field: string): string[] {
  const bare = field.replace(/^next_?/i, '').toLowerCase();
  const names = [bare, field, 'cursor', 'after', 'page', 'page_token', 'starting_after', 'offset'];
  return [...new Set(names)].filter((name) => name !== '');
}

const numberIn = (json: unknown, names: RegExp): number | undefined =>
  besideRows(json)
    .map(({ name, value }) => (names.test(name) && typeof value === 'number' ? value : undefined))
    .find((value) => value !== undefined);

function byNumber(json: unknown, { pages: seen }: Before): Continuation | null {
  const pages = numberIn(json, /^(pages|total_?pages|page_?count|last_?page)$/i);
  const current = numberIn(json, /^(page|current_?page|page_?number)$/i) ?? seen + 1;
  return pages !== undefined && current < pages ? { style: 'page number', queries: [{ page: current + 1 }] } : null;
}

/** A total larger than what was shown, or a flag that says there is more, without saying how to get there. */
function byRemainder(json: unknown, before: Before): Continuation | null {
  const rows = findLists(json)[0]?.rows ?? [];
  const shown = before.rows + rows.length;
  const total = numberIn(json, /^(total|total_?(count|results|items|records)|count)$/i);
  const hasMore = walk(json).some(({ name, value }) => /^has_?(more|next(_?page)?)$/i.test(name) && value === true);
  if (rows.length === 0 || (!hasMore && (total === undefined || total <= shown))) {
    return null;
  }
  const last = rows.at(-1);
  const id = isObject(last) ? at(last, '/id') : undefined;
  const afterLast = typeof id === 'string' || typeof id === 'number' ? [{ starting_after: id }, { after: id }] : [];
  return {
    style: hasMore ? 'has_more' : 'total',
    queries: [{ page: before.pages + 2 }, { offset: shown }, ...afterLast],
  };
}
