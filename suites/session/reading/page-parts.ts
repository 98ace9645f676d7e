import { type Found, isObject, type JsonObject, walk } from '../../../common/json.ts';
import { findMainList } from '../../../common/main-list.ts';
import type { PageBody } from './page-links.ts';

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

/** The query parameters of a URL. */
export const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*/, '')));

/** Names of fields that hold a cursor beside the one that says so: `next_` and whatever the parameter is called. */
const cursorName =
  /^((x-)?cursor|after|end_?cursor|continuation(_?token)?|@odata\.nextLink|scroll_?id|last_?(evaluated_?)?key)$/i;
/** Last words of fields that tell when something comes next. */
const times = ['at', 'on', 'in', 'date', 'time', 'day', 'run', 'reset'];

/** Whether a field of this name says where the next page begins. */
export function isCursorName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]/);
  return cursorName.test(name) || (words[0] === 'next' && !times.includes(words.at(-1) ?? ''));
}

/** Names of flags that say whether there is more. */
export const moreName = /^(has_?(more|next(_?page)?)|more|is_?truncated)$/i;

/** Names of flags that say that there is no more. */
export const endName = /^(is_?)?(last(_?page)?|done|complete|finished)$/i;

/** A page, and what of it tells how the list goes on: read once, since each question looks at it again. */
export interface PageParts extends PageBody {
  /** undefined: no list was found. */
  readonly rows: readonly JsonObject[] | undefined;
  /** Values beside the rows: what stands in a row says nothing of the list. */
  readonly beside: readonly Found[];
}

export function partsOf(page: PageBody | PageParts): PageParts {
  if ('beside' in page) {
    return page;
  }
  const { json, header } = page;
  const list = findMainList(json);
  const isBeside = (found: Found): boolean =>
    !found.isInList && (list === undefined || list.pointer === '' || !found.pointer.startsWith(`${list.pointer}/`));
  // What stands around the list tells of it before what stands elsewhere: `total` of the hits, and not of the shards.
  const nearest = walk(json)
    .filter(isBeside)
    .map((found) => ({ found, shared: sharedNames(found.pointer, list?.pointer ?? '') }))
    .sort((one, other) => other.shared - one.shared);
  return { json, header, rows: list?.rows, beside: nearest.map(({ found }) => found) };
}

/** How many names two pointers begin with alike. */
function sharedNames(one: string, other: string): number {
  const [names, others] = [one.split('/'), other.split('/')];
  const differs = names.findIndex((name, index) => name !== others[index]);
  return differs === -1 ? names.length : differs;
}

/** A number, or one that is told of: `{"value": 12, "relation": "eq"}`. */
const numberOf = (value: unknown): number | undefined => {
  const number = isObject(value) ? value.value : value;
  return typeof number === 'number' ? number : undefined;
};

/** The nearest number beside the rows that has one of these names. */
const numberFound = ({ beside }: PageParts, names: RegExp): { name: string; value: number } | undefined =>
  beside.flatMap(({ name, value }) => {
    const number = names.test(name) ? numberOf(value) : undefined;
    return number === undefined ? [] : [{ name, value: number }];
  })[0];

export const numberIn = (page: PageParts, names: RegExp): number | undefined => numberFound(page, names)?.value;

/** A parameter that is called as a field is: `PageIndex` is asked for as `pageIndex`. */
export const parameterOf = (field: string): string => field.charAt(0).toLowerCase() + field.slice(1);

const headerNumber = ({ header }: PageBody, name: string): number | undefined => {
  const text = header(name) ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
};

/** The page's number, and how many there are, as far as the answer shows them. */
export function numbersOf(page: PageParts): {
  pages: number | undefined;
  current: number | undefined;
  isFromZero: boolean;
  /** The query that asks for a page, by its number: `page` first, then the name that the answer has for its number. */
  queriesFor: (number: number) => readonly Query[];
} {
  const pages =
    numberIn(page, /^(pages|total_?pages|page_?count|last_?page|num_?pages)$/i) ?? headerNumber(page, 'X-Total-Pages');
  const shown = numberFound(page, /^(page|current_?page|page_?(number|index)|number)$/i);
  const current = shown?.value ?? headerNumber(page, 'X-Page');
  const names = new Set(['page', ...(shown === undefined ? [] : [parameterOf(shown.name)])]);
  return {
    pages,
    current,
    isFromZero: current === 0,
    queriesFor: (number) => [...names].map((name) => ({ [name]: number })),
  };
}

/** The rows of a page. */
export const rowsOf = ({ rows = [] }: PageParts): readonly JsonObject[] => rows;

/** How many records there are in all, where the answer shows it. */
export function totalOf(page: PageParts): number | undefined {
  const count = numberIn(page, /^count$/i) ?? 0;
  const range = /\/(\d+)$/.exec(page.header('Content-Range') ?? '')?.[1];
  return (
    numberIn(
      page,
      /^(total|total_?(count|results|items|records|elements|rows|hits|size)|hydra:totalItems|@odata\.count)$/i,
    ) ??
    headerNumber(page, 'X-Total-Count') ??
    headerNumber(page, 'X-Total') ??
    (range === undefined ? undefined : Number(range)) ??
    // As many as the page has is the page's own count, as often as not.
    (count > rowsOf(page).length ? count : undefined)
  );
}

/** The name of the parameter that says where a page begins: the answer may show it. */
export const offsetName = ({ beside }: PageParts): string =>
  beside.find(({ name, value }) => /^(offset|skip|start|start_?index|from)$/i.test(name) && typeof value === 'number')
    ?.name ?? 'offset';
