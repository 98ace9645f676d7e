import { copyOf } from './copy-of.ts';

/** One value inside a JSON document, and where it stands. */
export interface Found {
  /** JSON pointer (RFC 6901) from where the search began; of a name longer than any sane one it has the beginning alone. */
  readonly pointer: string;
  /** The last reference token of the pointer: a field's name or an index; empty at the root. */
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
  /** Whether it stands inside an element of a list. */
  readonly isInList: boolean;
}

export type JsonObject = Record<string, unknown>;

/** Digits that a double may not hold. */
const wide = /\d{16}/;

/** The value of a JSON text. An integer that a double cannot hold is the text of its digits: an id must not become another's. Throws where it is no JSON. */
export const parseExactly = (text: string): unknown =>
  wide.test(text) ? JSON.parse(text, exactly) : (JSON.parse(text) as unknown);

const exactly = (_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? copyOf(source)
    : value;

/** The value of a JSON text, as `parseExactly` gives it; undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is one that an id may be. */
export const isScalar = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** A name as a reference token of a JSON pointer. */
export const escapeToken = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;

/** The names that a JSON pointer leads through. */
export const pointerNames = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => (token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token));

/** Where an id stands in a document; undefined: nowhere. */
export const placeOfId = (root: unknown, id: string | undefined): string | undefined =>
  walk(root).find(({ value }) => String(value) === id)?.pointer;

/** The pointer of what a value stands in. */
export const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));

/** Deeper than any sane answer, and shallow enough for the stack; names that are longer are cut in pointers. */
const [deepest, longestName] = [40, 100];
/** How many values are looked at. An answer with more is not taken in. */
export const mostValues = 200_000;

/** Documents have many values, and of few of them the pointer is asked for, or the name in a list: they are made then. */
class Node implements Found {
  readonly parent: Node | null;
  readonly token: string | number;
  readonly value: unknown;
  readonly depth: number;
  readonly isInList: boolean;
  private made: string | undefined;
  constructor(parent: Node | null, token: string | number, value: unknown) {
    this.parent = parent;
    this.token = token;
    this.value = value;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.isInList = parent !== null && (parent.isInList || Array.isArray(parent.parent?.value));
  }
  get name(): string {
    return String(this.token);
  }
  get pointer(): string {
    this.made ??= this.parent === null ? '' : `${this.parent.pointer}/${escapeToken(this.name.slice(0, longestName))}`;
    return this.made;
  }
}

/**
 * Every value in the document, the root first, breadth first: what is shallow is found before what is deep. `most`: how many values
 * are taken in.
 */
export const walk = (root: unknown, most = mostValues): Found[] => nodesOf(root, most);

function nodesOf(root: unknown, most = mostValues): Node[] {
  const all = [new Node(null, '', root)];
  for (let i = 0; i < all.length && all.length < most; i += 1) {
    const node = all[i] as Node;
    if (typeof node.value !== 'object' || node.value === null || node.depth >= deepest) {
      continue;
    }
    for (const token of Array.isArray(node.value) ? node.value.keys() : Object.keys(node.value)) {
      if (all.length >= most) {
        break;
      }
      all.push(new Node(node, token, (node.value as JsonObject)[token]));
    }
  }
  return all;
}

/** The field of that name, or the item of a list; undefined where the value has none of its own. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;

/** The value at a JSON pointer; undefined where there is none. */
export const at = (root: unknown, pointer: string): unknown => pointerNames(pointer).reduce<unknown>(member, root);

const mostLists = 1_000;

/** A list of objects and where it stands. */
export interface FoundList {
  readonly pointer: string;
  readonly rows: readonly JsonObject[];
}

/**
 * The lists that `rowsAt` sees in a document's values, in time linear in its size: those that stand within others are left
 * out, and so is what comes after more than any sane document has. `all`: what `walk` gave for the document.
 */
export function outermostLists(
  all: readonly Found[],
  rowsAt: (found: Found) => readonly JsonObject[] | undefined,
): FoundList[] {
  const lists = new Map<Node, FoundList>();
  const isInside = ({ parent }: Node): boolean => parent !== null && (lists.has(parent) || isInside(parent));
  for (const node of all as readonly Node[]) {
    const rows = lists.size === mostLists || isInside(node) ? undefined : rowsAt(node);
    if (rows !== undefined) {
      lists.set(node, { pointer: node.pointer, rows });
    }
  }
  return [...lists.values()];
}

export const isRows = (value: unknown): value is JsonObject[] => Array.isArray(value) && value.every(isObject);

/** Every array outside other such arrays that holds objects only; empty arrays count, since a list may be empty. */
export const findLists = (root: unknown, all: readonly Found[] = walk(root)): FoundList[] =>
  outermostLists(all, ({ value }) => (isRows(value) ? value : undefined));

/** Names of fields that hold an id: the record's own, or that of another. */
const idName =
  /^_?([iI][dD]|[uU][iI][dD]|[uU][uU][iI][dD]|[gG][uU][iI][dD])$|(_id|Id|ID|_uuid|Uuid)$|^(ref|reference|identifier|handle|sid|oid|gid)$|(_ref|_sid|Ref|Sid|_identifier|Identifier)$/;

/**
 * Whether a record, or a record of a list, has this id in some field: as a string, or as the number it spells. Digits alone
 * may as well be a count or a page: they count as an id only in a field named so, and where a list is searched, in a row of it.
 */
export function hasValue(root: unknown, id: string): boolean {
  const digits = /^\d+$/.test(id);
  const lists = digits && findLists(root).length > 0;
  return walk(root).some(
    ({ value, name, isInList }) =>
      isScalar(value) && String(value) === id && (!digits || (idName.test(name) && (!lists || isInList))),
  );
}

/** A record with its keys in one order: what can be compared as a whole. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      isObject(part)
        ? Object.fromEntries(
            Object.keys(part)
              .sort()
              .map((name) => [name, part[name]]),
          )
        : part,
    ) ?? 'undefined'
  );
}
