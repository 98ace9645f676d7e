import { copyOf } from '../../../common/copy-of.ts';
import { isObject, type JsonObject } from '../../../common/json.ts';
import { type Exchange, exchangeWith, type HeaderLines, type RecordedResponse } from '../../../results/exchange.ts';

/** How much of an exchange is kept: the outline of its bodies, or only the fact that it was made. */
export type Condensed = NonNullable<Exchange['condensed']>;

const most = { text: 500, value: 200, url: 2_000, curl: 4_000, fields: 64, items: 3, values: 200 } as const;

/** Roughly the memory that an exchange takes, in bytes. */
export function weightOf({ request, response }: Exchange): number {
  const sent = request.url.length + (request.body?.length ?? 0) + linesWeight(request.headers);
  return 1_000 + sent + (response === null ? 0 : contentWeight(response));
}

/** Roughly the memory that the contents of an answer take, in bytes: of the shortest text, a value may take twenty times as much. */
export const contentWeight = ({ headers, text, json }: Pick<RecordedResponse, 'headers' | 'text' | 'json'>): number =>
  text.length + linesWeight(headers) + valueWeight(json);

const linesWeight = (lines: HeaderLines): number =>
  lines.reduce((sum, [name, value]) => sum + name.length + value.length + 120, 0);

const mostShared = 128;

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
  // Objects that are alike share their names; one with many has a table of its own.
  const perName = names.length > mostShared ? 60 : 10;
  return names.reduce((sum, name) => sum + name.length + perName + valueWeight((value as JsonObject)[name]), 50);
}

/**
 * An exchange with less of it. In outline it is judged as before by every rule that looks at the status, at short header
 * lines and at the upper levels of the body; bare, by none.
 */
export function condense(exchange: Exchange, to: Condensed): Exchange {
  const { request, response } = exchange;
  const isBare = to === 'bare';
  const isShort = request.url.length <= most.url && (request.body?.length ?? 0) <= most.text;
  return exchangeWith(exchange, {
    condensed: to,
    request: {
      method: request.method,
      url: cut(request.url, most.url),
      headers: isBare ? [] : shortLines(request.headers),
      body: request.body === null || isBare ? null : cut(request.body, most.text),
    },
    response: response && (isBare ? bare(response) : inOutline(response)),
    ...(isBare ? { curl: '' } : isShort ? {} : { curl: cut(exchange.curl, most.curl) }),
  });
}

const bare = ({ status }: RecordedResponse): RecordedResponse => ({ status, headers: [], text: '', json: undefined });

const inOutline = ({ status, headers, text, json }: RecordedResponse): RecordedResponse => ({
  status,
  headers: shortLines(headers),
  text: cut(text, most.text),
  json: json === undefined ? undefined : outlineOf(json),
});

const shortLines = (lines: HeaderLines): HeaderLines =>
  lines.map(([name, value]) => [cut(name, most.value), cut(value, most.value)] as const);

/** The beginning of a text that is longer, and how long it was. */
export const cut = (text: string, length: number): string =>
  text.length > length ? `${copyOf(text.slice(0, length))}… (${text.length} characters)` : text;

/**
 * A JSON value with the upper levels of its fields, the first items of its lists and the beginnings of its texts. What is
 * not empty stays so, and every value keeps its type.
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

/** What of a value is kept where nothing below it is. */
const scalarOf = (value: unknown): unknown => {
  if (typeof value === 'string') {
    return cut(value, most.value);
  }
  return typeof value === 'object' ? null : value;
};
