import { at, isObject, type JsonObject, parentOf, scalarText, walk } from '../../common/json.ts';
import { type Identity, mentions } from './own-words.ts';

/**
 * The place of a record in a list of which no rows can be told apart, such as a map by name or a table of values: the
 * innermost object or list around its id or its words. undefined: it shows neither as a value.
 */
export function placeOfLooseRow(json: unknown, { id, tag }: Identity): string | undefined {
  const all = walk(json);
  const found =
    all.find(({ value }) => id !== undefined && scalarText(value) === id) ??
    all.find(({ value }) => typeof value === 'string' && mentions(value, tag));
  return found === undefined || found.pointer === '' ? undefined : parentOf(found.pointer);
}

/** The record at such a place. A list of values gets its names from a list of as many names, the columns. */
export function looseRowAt(json: unknown, place: string): JsonObject | undefined {
  const row = at(json, place);
  if (!Array.isArray(row)) {
    return isObject(row) ? row : undefined;
  }
  const columns = walk(json).find(
    ({ value, pointer }) =>
      areNames(value) && value.length === row.length && !Array.isArray(at(json, parentOf(pointer))),
  );
  return Object.fromEntries(
    row.map((value, index) => [scalarText(at(columns?.value, `/${index}`)) ?? String(index), value]),
  );
}

const areNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string') && new Set(value).size === value.length;
