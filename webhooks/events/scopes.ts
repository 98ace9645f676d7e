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

/** The scope that a document is. */
export function scopeOf(document: unknown): Scope {
  let left = mostValues;

  const read = (pointer: string, value: unknown, level: number): Scope => {
    const mentions: Mention[] = [];
    const keyed: Mention[] = [];
    const lists: ScopeList[] = [];
    const visit = (node: unknown, at: string, name: string, depth: number): void => {
      if ((left -= 1) < 0 || level + depth > deepest) {
        return;
      }
      if (Array.isArray(node)) {
        // A batch may hold batches.
        const items = node.flat().slice(0, mostItems).filter(isObject);
        const named = nameIn(node);
        if (named !== undefined && level + depth === 0) {
          mentions.push({ ...named, place: `${at}/*`, depth: depth + 1, payload: value });
        }
        lists.push({ name, depth, items: items.map((item) => read(`${at}/*`, item, level + depth + 1)) });
      } else if (isObject(node)) {
        const inTwo = namedByTwo(node);
        if (inTwo !== undefined) {
          mentions.push({ ...inTwo, place: `${at}/*`, depth: depth + 1, payload: value });
        }
        for (const [key, child] of Object.entries(node)) {
          const below = `${at}/${escapeToken(key)}`;
          const named = isObject(child) || Array.isArray(child) ? namedByKey(key) : undefined;
          if (named !== undefined) {
            keyed.push(...payloadsOf(child).map((payload) => ({ ...named, place: below, depth: depth + 1, payload })));
          }
          const mention = typeof child === 'string' ? namedBy(key, child, isEnvelope(node, key)) : undefined;
          if (mention !== undefined) {
            mentions.push({ ...mention, place: below, depth: depth + 1, payload: value });
          }
          visit(child, below, key, depth + 1);
        }
      }
    };
    visit(value, pointer, '', 0);
    return { value, mentions, keyed, lists };
  };

  return read('', document, 0);
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
