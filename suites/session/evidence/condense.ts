import { copyOf } from '../../../common/copy-of.ts';
import { isObject, type JsonObject } from '../../../common/json.ts';
import { type Exchange, exchangeWith, type HeaderLines, type RecordedResponse } from '../../../results/exchange.ts';

/** How much of an exchange is kept: the outline of its bodies, or its status alone. */
export type Condensed = NonNullable<Exchange['condensed']>;

/** Most characters of a body that any report shows. */
export const mostText = 65_536;

/** Most characters of texts, values, addresses and curl lines in an outline; most fields, items and values of JSON. */
const most = { text: 500, value: 200, url: 2_000, curl: 4_000, fields: 64, items: 3, values: 200 } as const;

/** About how many bytes of memory an exchange takes. */
export function weightOf({ request, response }: Exchange): number {
  const sent = request.url.length + (request.body?.length ?? 0) + linesWeight(request.headers);
  return 1_000 + sent + (response === null ? 0 : contentWeight(response));
}

/** About how many bytes of memory an answer's content takes: its values may take twenty times as much as its text. */
export const contentWeight = ({ headers, text, json }: Pick<RecordedResponse, 'headers' | 'text' | 'json'>): number =>
  text.length + linesWeight(headers) + valueWeight(json);

const linesWeight = (lines: HeaderLines): number =>
  lines.reduce((sum, [name, value]) => sum + name.length + value.length + 120, 0);

/** Objects of the same names, up to this many, share a table of them; an object of more names has its own. */
const mostSharedNames = 128;

function valueWeight(value: unknown): number {
  if (typeof value === 'string') {
    return value.length + 30;
  }
  if (typeof value !== 'object' || value === null) {
    return 10;
  }
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, item) => sum + 10 + valueWeight(item), 50);
  }
  const names = Object.keys(value);
  const perName = names.length > mostSharedNames ? 60 : 10;
  return names.reduce((sum, name) => sum + name.length + perName + valueWeight((value as JsonObject)[name]), 50);
}

/**
 * An exchange with less of it. An outline is judged as the whole was, by every rule that looks at the status, at short
 * headers or at the upper levels of the body. No rule judges a bare exchange.
 */
export function condense(exchange: Exchange, to: Condensed): Exchange {
  return exchangeWith(exchange, { condensed: to, ...(to === 'bare' ? bare(exchange) : inOutline(exchange)) });
}

const bare = ({ request: { method, url }, response }: Exchange): Partial<Exchange> => ({
  request: { method, url: cut(url, most.url), headers: [], body: null },
  response: response && { status: response.status, headers: [], text: '', json: undefined },
  curl: '',
});

function inOutline(exchange: Exchange): Partial<Exchange> {
  const { request, response } = exchange;
  const { method, url, headers, body } = request;
  const isShort = url.length <= most.url && (body?.length ?? 0) <= most.text;
  return {
    request: {
      method,
      url: cut(url, most.url),
      headers: shortHeaders(headers),
      body: body === null ? null : cut(body, most.text),
    },
    response: response && {
      status: response.status,
      headers: shortHeaders(response.headers),
      text: cut(response.text, most.text),
      json: response.json === undefined ? undefined : outlineOf(response.json),
    },
    // The lines of a short request are left unmade until a finding asks for them.
    ...(isShort ? {} : { curl: cut(exchange.curl, most.curl) }),
  };
}

const shortHeaders = (lines: HeaderLines): HeaderLines =>
  lines.map(([name, value]) => [cut(name, most.value), cut(value, most.value)] as const);

/** The text, cut to `length` characters where it is longer; a cut text says how long it was. */
export const cut = (text: string, length: number): string =>
  text.length > length ? `${copyOf(text.slice(0, length))}… (${text.length} characters)` : text;

/**
 * A JSON value with the upper levels of its fields, the first items of its lists and the beginnings of its texts.
 * Values keep their types, and lists and objects that are not empty stay so.
 */
function outlineOf(root: unknown): unknown {
  let left: number = most.values;
  const queue: (() => void)[] = [];
  const outline = (value: unknown): unknown => {
    left -= 1;
    if (typeof value === 'string') {
      return cut(value, most.value);
    }
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      queue.push(() => {
        items.push(...value.slice(0, left > 0 ? most.items : 1).map(left > 0 ? outline : scalarOf));
      });
      return items;
    }
    if (isObject(value)) {
      const fields: Record<string, unknown> = {};
      queue.push(() => {
        for (const name of Object.keys(value).slice(0, left > 0 ? most.fields : 1)) {
          fields[cut(name, most.value)] = left > 0 ? outline(value[name]) : scalarOf(value[name]);
        }
      });
      return fields;
    }
    return value;
  };
  const result = outline(root);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    next();
  }
  return result;
}

/** A value without anything below it. */
const scalarOf = (value: unknown): unknown => {
  if (typeof value === 'string') {
    return cut(value, most.value);
  }
  return typeof value === 'object' ? null : value;
};
