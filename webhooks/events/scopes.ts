import { escapeToken, isObject, type JsonObject } from '../../common/json.ts';
import { type Named, namedBy, namedByKey, namedByTwo } from './names.ts';

/** A place that names an event. */
export interface Mention extends Named {
  /** A JSON pointer, `header …`, `query …` or `path`. */
  readonly place: string;
  /** The number of levels between the name and the scope. */
  readonly depth: number;
  /** The part of the payload that belongs to the event. */
  readonly payload: unknown;
}

/**
 * An object that may be an event: the whole document, or an object in a list. Names within a list belong to the list's
 * items.
 */
export interface Scope {
  readonly value: unknown;
  readonly mentions: readonly Mention[];
  /** Events that are named by a field's name, as in `{"booking.created": {…}}`. */
  readonly keyed: readonly Mention[];
  readonly lists: readonly ScopeList[];
}

export interface ScopeList {
  readonly name: string;
  readonly depth: number;
  readonly items: readonly Scope[];
}

/** How much of a document is read: values, items of each list, levels. */
const [mostValues, mostItems, deepest] = [50_000, 500, 32];

/** What is left to be read of a document. */
interface Reader {
  values: number;
}

/** A scope that is being read, `level` levels below the document. */
interface OpenScope {
  readonly value: unknown;
  readonly level: number;
  readonly mentions: Mention[];
  readonly keyed: Mention[];
  readonly lists: ScopeList[];
}

/** A value within a scope: its pointer, the name of its field, and how deep it is. */
interface Place {
  readonly at: string;
  readonly name: string;
  readonly depth: number;
}

/** The scope that a document is. */
export const scopeOf = (document: unknown): Scope => read({ values: mostValues }, '', document, 0);

function read(reader: Reader, pointer: string, value: unknown, level: number): Scope {
  const scope: OpenScope = { value, level, mentions: [], keyed: [], lists: [] };
  visit(reader, scope, value, { at: pointer, name: '', depth: 0 });
  const { mentions, keyed, lists } = scope;
  return { value, mentions, keyed, lists };
}

function visit(reader: Reader, scope: OpenScope, node: unknown, place: Place): void {
  reader.values -= 1;
  if (reader.values < 0 || scope.level + place.depth > deepest) {
    return;
  }
  if (Array.isArray(node)) {
    visitList(reader, scope, node, place);
  } else if (isObject(node)) {
    visitObject(reader, scope, node, place);
  }
}

function visitList(reader: Reader, scope: OpenScope, list: readonly unknown[], { at, name, depth }: Place): void {
  // A batch may hold batches.
  const items = list.flat().slice(0, mostItems).filter(isObject);
  const named = nameIn(list);
  const below = `${at}/*`;
  if (named !== undefined && scope.level + depth === 0) {
    scope.mentions.push({ ...named, place: below, depth: depth + 1, payload: scope.value });
  }
  const level = scope.level + depth + 1;
  scope.lists.push({ name, depth, items: items.map((item) => read(reader, below, item, level)) });
}

function visitObject(reader: Reader, scope: OpenScope, object: JsonObject, { at, depth: above }: Place): void {
  const depth = above + 1;
  const inTwo = namedByTwo(object);
  if (inTwo !== undefined) {
    scope.mentions.push({ ...inTwo, place: `${at}/*`, depth, payload: scope.value });
  }
  for (const [key, child] of Object.entries(object)) {
    const place = `${at}/${escapeToken(key)}`;
    const named = isObject(child) || Array.isArray(child) ? namedByKey(key) : undefined;
    if (named !== undefined) {
      scope.keyed.push(...payloadsOf(child).map((payload) => ({ ...named, place, depth, payload })));
    }
    const mention = typeof child === 'string' ? namedBy(key, child, isEnvelope(object, key)) : undefined;
    if (mention !== undefined) {
      scope.mentions.push({ ...mention, place, depth, payload: scope.value });
    }
    visit(reader, scope, child, { at: place, name: key, depth });
  }
}

/**
 * The documented kind in a list such as `["event", "booking.created", {…}]`. A list of several kinds names no event.
 */
function nameIn(tuple: readonly unknown[]): Named | undefined {
  const texts = tuple.filter((member) => typeof member === 'string');
  const names = texts.flatMap((text) => namedBy('', text, true) ?? []).filter(({ kind }) => kind !== null);
  return names.length === 1 && tuple.some(isObject) ? names[0] : undefined;
}

const payloadsOf = (value: unknown): unknown[] => (Array.isArray(value) && value.length > 0 ? value : [value]);

/** Whether another field of the object holds an object or a list. */
const isEnvelope = (object: JsonObject, key: string): boolean =>
  Object.entries(object).some(([name, value]) => name !== key && typeof value === 'object' && value !== null);
