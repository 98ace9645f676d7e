import { type Found, isObject, isRows, type JsonObject, pointerNames, walk } from '../../common/json.ts';
import { snakeCase } from '../../common/words.ts';
import { findMainList } from './main-list.ts';
import type { PageBody } from './page-links.ts';

/** How to get to another page of a list. */
export interface Continuation {
  /** What in the answer shows it, in words. */
  readonly style: string;
  /** Query parameters to try in turn. */
  readonly queries: readonly Query[];
}

export type Query = Readonly<Record<string, string | number>>;

/** How much of a list was read before a page. */
export interface ReadSoFar {
  readonly pages: number;
  readonly rows: number;
  /** The page before showed its next one: a page that shows none is the last then. */
  readonly previousShowedNext?: boolean;
  /** The rows of the longest page that the list ever had. */
  readonly longestPage?: number;
}

/** The query parameters of a URL. */
export const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*/, '')));

/** Names of fields that hold a cursor, besides those that begin with `next`. */
const cursorName =
  /^((x-)?cursor|after|end_?cursor|continuation(_?token)?|@odata\.nextLink|scroll_?id|last_?(evaluated_?)?key)$/i;
/** Last words of fields that say when something comes next, such as `next_run`. */
const times = ['at', 'on', 'in', 'date', 'time', 'day', 'run', 'reset'];

/** Whether a field of this name says where the next page begins. */
export function isCursorName(name: string): boolean {
  const words = snakeCase(name).split(/[_.-]/);
  return cursorName.test(name) || (words[0] === 'next' && !times.includes(words.at(-1) ?? ''));
}

/** Names of flags that say whether there is more. */
export const moreName = /^(has_?(more|next(_?page)?)|more|is_?truncated)$/i;

/** Names of flags that say that there is no more. */
export const endName = /^(is_?)?(last(_?page)?|done|complete|finished)$/i;

/** A page, parsed once for all questions about it. */
export interface PageParts extends PageBody {
  /** undefined: no list was found. */
  readonly rows: readonly JsonObject[] | undefined;
  /** The values outside the rows, those nearest to the list first. */
  readonly metadata: readonly Found[];
}

export function partsOf(page: PageBody | PageParts): PageParts {
  if ('metadata' in page) {
    return page;
  }
  const { json, header, payload, next } = page;
  const list = findMainList(json);
  const isOutside = (found: Found): boolean =>
    !found.isInList && (list === undefined || list.pointer === '' || !found.pointer.startsWith(`${list.pointer}/`));
  // The `total` beside the list counts its rows; a `total` elsewhere, as of search shards, does not.
  const nearestFirst = walk(json)
    .filter(isOutside)
    .map((found) => ({ found, shared: commonNames(found.pointer, list?.pointer ?? '') }))
    .sort((one, other) => other.shared - one.shared);
  // Rows at an unusual place are the payload alone.
  const rows = isRows(payload) ? payload : list?.rows;
  return { json, header, next, rows, metadata: nearestFirst.map(({ found }) => found) };
}

/** How many leading names two pointers have in common. */
function commonNames(one: string, other: string): number {
  const [names, others] = [one.split('/'), other.split('/')];
  const differs = names.findIndex((name, index) => name !== others[index]);
  return differs === -1 ? names.length : differs;
}

/** A number, plain, as the text of its digits, or in an object: `{"value": 12, "relation": "eq"}`. */
const numberOf = (value: unknown): number | undefined => {
  const number = isObject(value) ? value.value : value;
  const isDigits = typeof number === 'string' && /^\d{1,15}$/.test(number);
  return typeof number === 'number' || isDigits ? Number(number) : undefined;
};

/** A number in the metadata. `outer`: the name of the object that holds it. */
interface NamedNumber {
  readonly name: string;
  readonly outer: string | undefined;
  readonly value: number;
}

/** The number in the metadata, nearest to the list, that has one of these names. */
const namedNumber = ({ metadata }: PageParts, names: RegExp): NamedNumber | undefined =>
  metadata.flatMap(({ name, value, pointer }) => {
    const number = names.test(name) ? numberOf(value) : undefined;
    return number === undefined ? [] : [{ name, outer: pointerNames(pointer).at(-2), value: number }];
  })[0];

/** The number in the metadata, nearest to the list, that has one of these names. */
export const metadataNumber = (page: PageParts, names: RegExp): number | undefined => namedNumber(page, names)?.value;

/** The parameter that goes with a field: `PageIndex` is asked for as `pageIndex`. */
export const parameterName = (field: string): string => field.charAt(0).toLowerCase() + field.slice(1);

const headerNumber = ({ header }: PageBody, name: string): number | undefined => {
  const text = header(name) ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
};

/** The number of a page, and how many pages there are; undefined where the answer does not show it. */
export function pageNumbersOf(page: PageParts): {
  pages: number | undefined;
  current: number | undefined;
  countsFromZero: boolean;
  /**
   * Queries for the page with a number: by `page`, then by the name that the answer has for its own number, and by that
   * with the name around it: `pagination[page]`.
   */
  queriesFor: (number: number) => readonly Query[];
} {
  const pages =
    metadataNumber(page, /^(pages|total_?pages|page_?count|last_?page|num_?pages)$/i) ??
    headerNumber(page, 'X-Total-Pages');
  const shown = namedNumber(page, /^(page|current_?page|page_?(number|index)|number)$/i);
  const current = shown?.value ?? headerNumber(page, 'X-Page');
  const own = shown === undefined ? [] : [parameterName(shown.name)];
  const outer = shown?.outer !== undefined && /^pag(e|es|ing|ination|inator)$/i.test(shown.outer) ? [shown.outer] : [];
  const names = new Set(['page', ...own, ...outer.flatMap((one) => own.map((name) => `${one}[${name}]`))]);
  return {
    pages,
    current,
    countsFromZero: current === 0,
    queriesFor: (number) => [...names].map((name) => ({ [name]: number })),
  };
}

/** The rows of a page. */
export const rowsOf = ({ rows = [] }: PageParts): readonly JsonObject[] => rows;

/** How many records the list has in all; undefined where the answer does not show it. */
export function totalOf(page: PageParts): number | undefined {
  const count = metadataNumber(page, /^count$/i) ?? 0;
  const range = /\/(\d+)$/.exec(page.header('Content-Range') ?? '')?.[1];
  return (
    metadataNumber(
      page,
      /^(total|total_?(count|results|items|records|elements|rows|hits|size)|hydra:totalItems|@odata\.count)$/i,
    ) ??
    headerNumber(page, 'X-Total-Count') ??
    headerNumber(page, 'X-Total') ??
    (range === undefined ? undefined : Number(range)) ??
    // `count` often counts the rows of the page alone.
    (count > rowsOf(page).length ? count : undefined)
  );
}

/** The parameter that says where a page begins: the name that the answer has for it, or else `offset`. */
export const offsetName = ({ metadata }: PageParts): string =>
  metadata.find(
    ({ name, value }) => /^(offset|skip|start(_?(index|at))?|from)$/i.test(name) && numberOf(value) !== undefined,
  )?.name ?? 'offset';
