import { at, type Found, isRows, walk } from '../../common/json.ts';
import { findMainList } from './rows.ts';

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

/** How much of a list was read before a page. */
export interface ReadSoFar {
  readonly pages: number;
  readonly rows: number;
  /** The page before showed its next one: a page that shows none is the last then. */
  readonly previousShowedNext?: boolean;
}

/** A page with its rows, the values outside them, and the numbers among these. */
export type Page = ReturnType<typeof parsed>;

export function parsed(body: PageBody, before: ReadSoFar) {
  const { json, header, payload } = body;
  const list = findMainList(json);
  const isOutside = ({ isInList, pointer }: Found): boolean =>
    !isInList && (list === undefined || list.pointer === '' || !pointer.startsWith(`${list.pointer}/`));
  const metadata = walk(json).filter(isOutside);
  // Rows at an unusual place are the payload alone.
  const rows = isRows(payload) ? payload : list?.rows;
  const inHeader = (name: string): number | undefined =>
    /^\d+$/.test(header(name) ?? '') ? Number(header(name)) : undefined;
  const pages = numberIn(metadata, pageCountName)?.value ?? inHeader('X-Total-Pages');
  const shown = numberIn(metadata, pageNumberName);
  const current = shown?.value ?? inHeader('X-Page') ?? before.pages + 1;
  const names = new Set(['page', ...(shown === undefined ? [] : [parameterName(shown.name)])]);
  const count = numberIn(metadata, /^count$/i)?.value ?? 0;
  const range = /\/(\d+)$/.exec(header('Content-Range') ?? '')?.[1];
  return {
    ...body,
    before,
    /** undefined: no list was found. */
    rows,
    metadata,
    /** The number of the page, and that of the last; undefined where the answer does not show it. */
    current,
    // Spring counts from 0: its last page is one less than their count.
    lastNumber: pages !== undefined && current <= before.pages ? pages - 1 : pages,
    /** The queries for the page with a number. */
    queriesFor: (number: number): readonly Query[] => [...names].map((name) => ({ [name]: number })),
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
export function numberIn(
  metadata: readonly Found[],
  names: RegExp,
): { readonly name: string; readonly value: number } | undefined {
  return metadata.flatMap(({ name, value }) => {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
    return names.test(name) && isNumber ? [{ name, value: Number(value) }] : [];
  })[0];
}

/** The parameter that goes with a field: `PageIndex` is asked for as `pageIndex`. */
export const parameterName = (field: string): string => field.charAt(0).toLowerCase() + field.slice(1);

/** The query parameters of a URL. */
export const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*/, '')));

/** A page's link to the next or last page, and where it is, in words: in a Link header (RFC 8288), or in a field. */
export function linkTo(
  relation: 'next' | 'last',
  { json, header }: PageBody,
): { url: string; style: string } | undefined {
  const inHeader = new RegExp(`<([^<>]*)>\\s*;[^,<]*rel="?${relation}"?`, 'i').exec(header('Link') ?? '')?.[1];
  if (inHeader !== undefined) {
    return { url: inHeader, style: 'Link header' };
  }
  // `next`, `next_page_url`, `nextRecordsUrl`, `@odata.nextLink`, `hydra:next`: a link, or an object that has one.
  const name = new RegExp(
    `^(@?\\w+[.:])?${relation}(_?(page|cursor|token|offset)|_?[a-z]*?_?(url|link|href|uri|path))?$`,
    'i',
  );
  const isLink = (value: unknown): value is string => typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value);
  const fields = walk(json).filter((found) => !found.isInList && name.test(found.name));
  return fields.flatMap((found) => {
    const url = [found.value, at(found.value, '/href'), at(found.value, '/url')].find(isLink);
    return url === undefined ? [] : [{ url, style: `link in ${found.name}` }];
  })[0];
}
