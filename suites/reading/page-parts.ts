import { at, type Found, isRows, type JsonObject, walk } from '../../common/json.ts';
import { findMainList } from './main-list.ts';

// The parts of one page of a list that show how the list goes on: its links, numbers and total.

/** The body of a page, and its headers. */
export interface PageBody {
  readonly json: unknown;
  header(name: string): string | null;
  /** How the list goes on, where the user says in which field. */
  readonly next?: { readonly name: string; readonly value: unknown } | undefined;
  /** Its rows, with what is told of their places; undefined: they are looked for. */
  readonly payload?: unknown;
}

export type Query = Readonly<Record<string, string | number>>;

/** How to get to another page of a list. */
export interface Continuation {
  /** What in the answer shows it, in words. */
  readonly style: string;
  /** Query parameters to try in turn. */
  readonly queries: readonly Query[];
  /** Nothing shows that these parameters lead there: only new rows do. */
  readonly isGuessed?: boolean;
}

/** How much of a list was read before a page. */
export interface ReadSoFar {
  readonly pages: number;
  readonly rows: number;
  /** The page before showed its next one: a page that shows none is the last then. */
  readonly previousShowedNext?: boolean;
}

/** A page with its rows, and the values outside them. */
export interface Page extends PageBody {
  /** undefined: no list was found. */
  readonly rows: readonly JsonObject[] | undefined;
  readonly metadata: readonly Found[];
}

export function parsed({ json, header, payload, next }: PageBody): Page {
  const list = findMainList(json);
  const isOutside = ({ isInList, pointer }: Found): boolean =>
    !isInList && (list === undefined || list.pointer === '' || !pointer.startsWith(`${list.pointer}/`));
  // Rows at an unusual place are the payload alone.
  return { json, header, next, rows: isRows(payload) ? payload : list?.rows, metadata: walk(json).filter(isOutside) };
}

/** The query parameters of a URL. */
export const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*/, '')));

/** A link from a page to another one, and where it is, in words. */
interface PageLink {
  readonly url: string;
  readonly style: string;
}

/** A page's link to the next or last page: in a Link header (RFC 8288), or in a field. */
export function linkTo(relation: 'next' | 'last', { json, header }: PageBody): PageLink | undefined {
  const inHeader = new RegExp(`<([^<>]*)>\\s*;[^,<]*rel="?${relation}"?`, 'i').exec(header('Link') ?? '')?.[1];
  if (inHeader !== undefined) {
    return { url: inHeader, style: 'Link header' };
  }
  // `next`, `next_page_url`, `nextRecordsUrl`, `@odata.nextLink`, `hydra:next`: a link, or an object that has one.
  const name = new RegExp(
    `^(@?\\w+[.:])?${relation}(_?(page|cursor|token|offset)|_?[a-z]*?_?(url|link|href|uri|path))?$`,
    'i',
  );
  const fields = walk(json).filter((found) => !found.isInList && name.test(found.name));
  return fields.flatMap((found): PageLink[] => {
    const url = [found.value, at(found.value, '/href'), at(found.value, '/url')].find(isLink);
    return url === undefined ? [] : [{ url, style: `link in ${found.name}` }];
  })[0];
}

const isLink = (value: unknown): value is string => typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value);

/** The parameter that goes with a field: `PageIndex` is asked for as `pageIndex`. */
export const parameterName = (field: string): string => field.charAt(0).toLowerCase() + field.slice(1);

/** The first number in the metadata with one of these names: plain, or as digits. */
function numberIn({ metadata }: Page, names: RegExp): { readonly name: string; readonly value: number } | undefined {
  return metadata.flatMap(({ name, value }) => {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
    return names.test(name) && isNumber ? [{ name, value: Number(value) }] : [];
  })[0];
}

const headerNumber = ({ header }: PageBody, name: string): number | undefined => {
  const text = header(name) ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
};

/** The number of a page, and that of the last; undefined where the answer does not show it. */
export function pageNumbersOf(page: Page, { pages: read }: ReadSoFar) {
  const pages =
    numberIn(page, /^(pages|total_?pages|page_?count|last_?page|num_?pages)$/i)?.value ??
    headerNumber(page, 'X-Total-Pages');
  const shown = numberIn(page, /^(page|current_?page|page_?(number|index)|number)$/i);
  const current = shown?.value ?? headerNumber(page, 'X-Page') ?? read + 1;
  const names = new Set(['page', ...(shown === undefined ? [] : [parameterName(shown.name)])]);
  return {
    // Spring counts from 0: its last page is one less than their count.
    last: pages !== undefined && current <= read ? pages - 1 : pages,
    current,
    queriesFor: (number: number): readonly Query[] => [...names].map((name) => ({ [name]: number })),
  };
}

/** How many records the list has in all; undefined where the answer does not show it. */
export function totalOf(page: Page): number | undefined {
  const count = numberIn(page, /^count$/i)?.value ?? 0;
  const range = /\/(\d+)$/.exec(page.header('Content-Range') ?? '')?.[1];
  return (
    numberIn(
      page,
      /^(total|total_?(count|results|items|records|elements|rows|hits|size)|hydra:totalItems|@odata\.count)$/i,
    )?.value ??
    headerNumber(page, 'X-Total-Count') ??
    headerNumber(page, 'X-Total') ??
    (range === undefined ? undefined : Number(range)) ??
    // `count` often counts the rows of the page alone.
    (count > (page.rows ?? []).length ? count : undefined)
  );
}

/** The parameter that says where a page begins: the name that the answer has for it, or else `offset`. */
export const offsetName = (page: Page): string =>
  numberIn(page, /^(offset|skip|start(_?(index|at))?|from)$/i)?.name ?? 'offset';
