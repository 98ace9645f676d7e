import type { Failure } from './transport-failure.ts';
import { thousands } from './words.ts';

/** One value in a JSON document, and its place. */
export interface Found {
  /** JSON pointer (RFC 6901) from the root of the search. Names over 100 characters are cut. */
  readonly pointer: string;
  /** The last reference token of the pointer, a field's name or an index; empty at the root. */
  readonly name: string;
  readonly value: unknown;
  /** Whether the value is within an element of a list; the element itself is not. */
  readonly isInList: boolean;
}

export type JsonObject = Record<string, unknown>;

/** This many digits in a row may be an integer that a double cannot hold. */
const manyDigits = /\d{16}/;

/**
 * The value of a JSON text. An integer that a double cannot hold becomes the string of its digits: rounded, an id would
 * be another record's. Throws if the text is not JSON.
 */
const parseExactly = (text: string): unknown =>
  manyDigits.test(text)
    ? JSON.parse(text, (_, value: unknown, { source = '' }: { readonly source?: string } = {}) =>
        typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value,
      )
    : (JSON.parse(text) as unknown);

/**
 * The value of a JSON text as `parseExactly` gives it; undefined if the text is not JSON, or if it is not read: then
 * `trouble` says that it nests too deep, or holds more than `most` values.
 */
export function readJson(
  text: string,
  most = mostValues,
): { readonly json: unknown; readonly trouble: Failure | null } {
  try {
    const json = parseExactly(text);
    const trouble = troubleIn(json, most);
    return { json: trouble === null ? json : undefined, trouble };
  } catch {
    return { json: undefined, trouble: null };
  }
}

/** The value of a JSON text, as `readJson` gives it. */
export const parseJson = (text: string, most = mostValues): unknown => readJson(text, most).json;

/** No sane answer nests deeper, and everything that walks, compares or prints parsed JSON can go this deep. */
const deepestRead = 500;

function troubleIn(root: unknown, most: number): Failure | null {
  let level = [root];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestRead) {
      return { kind: 'too-deep', message: `Body is nested deeper than ${deepestRead} levels` };
    }
    values += level.length;
    if (values > most) {
      return { kind: 'too-large', message: `Body contains more than ${thousands(most)} values` };
    }
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return null;
}

/** Whether a text is a JSON object or list from its first character to its last. */
export function isJsonDocument(text: string): boolean {
  const json = parseJson(text.replace(/^\ufeff/, ''));
  return typeof json === 'object' && json !== null;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value says nothing: it is missing, null, or a list or object of nothing. */
export const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Whether a value is of a type that ids have. */
export const isScalar = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/**
 * The text of a string, number or flag; null for anything else, so that it equals no id. `String` calls the `toString`
 * of an object, and that may be a field of a foreign one (suites/foreign-values.d.ts).
 */
export const scalarText = (value: unknown): string | null =>
  isScalar(value) || typeof value === 'boolean' ? String(value) : null;

/** A name as a reference token of a JSON pointer. */
export const escapeToken = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;

/** The names that a JSON pointer leads through. */
export const pointerNames = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => (token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token));

/** The pointer of the object or list that holds a value. */
export const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));

/** Values deeper than this are not visited: no sane answer nests so deep, and the stack must hold. */
const deepest = 40;
/** Longer names are cut in pointers. */
const longestName = 100;
/** How many values of a document are visited. Answers with more are not read. */
const mostValues = 200_000;

/**
 * The values of a document, breadth first and the root first, so shallow values come before deep ones; at most `most`.
 */
export function walk(root: unknown, most = mostValues): Found[] {
  const all = [{ pointer: '', name: '', value: root, depth: 0, isInList: false, isElement: false }];
  for (const { pointer: outer, value: holder, depth, isInList: isDeep, isElement: isIn } of all) {
    const fields = typeof holder !== 'object' || holder === null || depth >= deepest ? [] : Object.entries(holder);
    const place = { depth: depth + 1, isInList: isDeep || isIn, isElement: Array.isArray(holder) };
    for (const [name, value] of fields.slice(0, most - all.length)) {
      all.push({ pointer: `${outer}/${escapeToken(name.slice(0, longestName))}`, name, value, ...place });
    }
  }
  return all;
}

/** The strings of a document, breadth first. */
export const stringsIn = (root: unknown): string[] =>
  walk(root).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));

/** The own field of an object, or the item of a list, with that name; undefined if there is none. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;

/** The value at a JSON pointer; undefined if there is none. */
export const at = (root: unknown, pointer: string): unknown => pointerNames(pointer).reduce<unknown>(member, root);

const mostLists = 1_000;

/** A list of objects, and its JSON pointer. */
export interface FoundList {
  readonly pointer: string;
  readonly rows: readonly JsonObject[];
}

export const isRows = (value: unknown): value is JsonObject[] => Array.isArray(value) && value.every(isObject);

/**
 * The arrays that hold nothing but objects, empty ones included, except those within elements of another list. An object
 * whose names are all numbers is one, too: PHP writes an array so from which elements were removed.
 */
export const findLists = (root: unknown): FoundList[] =>
  walk(root)
    .flatMap(({ pointer, value, isInList }) => {
      const rows = isObject(value) && Object.keys(value).join('') !== '' ? indexed(value) : value;
      return isRows(rows) && !isInList ? [{ pointer, rows }] : [];
    })
    .slice(0, mostLists);

const indexed = (object: JsonObject): unknown =>
  Object.keys(object).every((name) => /^\d+$/.test(name)) ? Object.values(object) : undefined;

/** JSON with all keys sorted: two records are equal if their texts are. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (isObject(part) ? sorted(part) : part)) ?? 'undefined';

const sorted = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The body with what `change` makes of each text, number and flag in it. */
export const mapLeaves = (body: unknown, change: (leaf: unknown) => unknown): unknown =>
  body === undefined
    ? undefined
    : JSON.parse(JSON.stringify(body), (_, part: unknown) =>
        typeof part === 'object' && part !== null ? part : change(part),
      );

/** The body with `words` replaced by `others` in its texts. */
export const reword = (body: unknown, words: string, others: string): unknown =>
  mapLeaves(body, (leaf) => (typeof leaf === 'string' ? leaf.replaceAll(words, others) : leaf));

/** The body with an id in place of each value that is one of `ids`: a number gives way to a number, if the id is one. */
export const renamed = (body: unknown, ids: readonly string[], id: string): unknown =>
  mapLeaves(body, (leaf) => {
    const isNumber = typeof leaf === 'number' && /^(0|[1-9]\d{0,14})$/.test(id);
    return !ids.includes(scalarText(leaf) ?? '') ? leaf : isNumber ? Number(id) : id;
  });
