import { isObject, isRows, type JsonObject, scalarText, walk } from './json.ts';
import { lettersOf } from './words.ts';

/** A summary or a group has at most this many fields besides its list. */
export const fewFields = 3;

/** Names without a digit count as ids if all are equally long and have at least this many characters. */
const shortestId = 12;

/** Fields that hold a row's record, beside a cursor, a score and the like. */
const recordField = /^(node|item|record|resource|document|entity|_source)$/i;

/** Whether a field is named exactly by a noun, in the singular or the plural. Both in lower case. */
export const isNamed = (name: string, noun: string): boolean => name === noun || name === `${noun}s`;

/**
 * The records in a list, in a map by id, or in the groups that a list or a map is cut into; undefined for anything
 * else.
 */
export function rowsOf(value: unknown, nouns: readonly string[]): readonly JsonObject[] | undefined {
  const rows = isRows(value) ? value : (rowsOfMap(value, nouns) ?? rowsOfBatches(value));
  if (rows === undefined) {
    return undefined;
  }
  const groups = rows.map((row) => rowsOfGroup(row, nouns));
  return unwrapped(groups.every((group) => group !== undefined) ? groups.flat() : rows, nouns);
}

/**
 * The records of rows that wrap them, as `{"cursor": …, "node": {…}}` or `{"booking": {…}}`; the rows themselves if any
 * wraps none.
 */
function unwrapped(rows: readonly JsonObject[], nouns: readonly string[]): readonly JsonObject[] {
  const records = rows.map((row) => recordIn(row, nouns));
  return records.every((record) => record !== undefined) ? records : rows;
}

function recordIn(row: JsonObject, nouns: readonly string[]): JsonObject | undefined {
  const isNoun = (name: string): boolean => nouns.includes(name.toLowerCase());
  const [only, ...others] = Object.entries(row).filter(
    ([name, held]) => isObject(held) && (recordField.test(name) || isNoun(name)),
  );
  if (only === undefined || others.length > 0 || hasId(row)) {
    return undefined;
  }
  const [name, record] = only as [string, JsonObject];
  return isNoun(name) ? { ...row, ...record } : record;
}

/** The rows of a map whose names are the ids of its rows. A row that does not show its id gets it from the map. */
function rowsOfMap(value: unknown, nouns: readonly string[]): JsonObject[] | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const ids = Object.keys(value);
  const isUniform = ids.length > 1 && ids.every((id) => id.length === ids[0]?.length && id.length >= shortestId);
  const isRow = (id: string): boolean => {
    const row = value[id];
    return isObject(row) && (isUniform || /\d/.test(id) || (!isMap(row) && showsId(row, id)));
  };
  if (ids.length === 0 || !ids.every(isRow)) {
    return undefined;
  }
  const isNumbered = ids.every((id, index) => id === String(index));
  return ids.map((id) => {
    const row = value[id] as JsonObject;
    return isNumbered || hasOwnId(row, nouns) ? row : { id, ...row };
  });
}

/**
 * A value that holds nothing but objects is a map and no record, even if its rows show the map's name as their type.
 */
const isMap = (row: JsonObject): boolean => Object.values(row).every(isObject);

/**
 * Whether a row shows its id outside of lists: in a list it could be the type of rows, `{"edges": [{"type":
 * "bookings"}]}`.
 */
const showsId = (row: JsonObject, id: string): boolean =>
  walk(row).some(({ value, isInList }) => !isInList && scalarText(value) === id);

/** Records in batches: `[[…], […]]`. */
const rowsOfBatches = (value: unknown): JsonObject[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((batch) => isRows(batch) && batch.length > 0)
    ? value.flat()
    : undefined;

/**
 * The records of a map from names to lists, whatever wraps each. The names must have digits, as days do
 * (`{"2025-03-03": […]}`), unless the map's own name already says that records are in it (`isNamed`): then they may be
 * anything, such as `{"pending": […]}`.
 */
export function rowsOfGroups(
  value: unknown,
  nouns: readonly string[],
  isNamed: boolean,
): readonly JsonObject[] | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const names = Object.keys(value);
  const isGrouped = names.length > 0 && names.every((name) => (isNamed || /\d/.test(name)) && isRows(value[name]));
  const rows = names.flatMap((name) => value[name] as JsonObject[]);
  return isGrouped ? unwrapped(rows, nouns) : undefined;
}

/** The records of one group, such as `{"date": …, "bookings": […]}`; undefined if the row is a record itself. */
function rowsOfGroup(row: JsonObject, nouns: readonly string[]): readonly JsonObject[] | undefined {
  const lists = Object.entries(row).filter((entry): entry is [string, JsonObject[]] => isRows(entry[1]));
  if (hasId(row)) {
    // The id may be what the records are grouped by: `{"campaign_id": …, "keywords": […]}`.
    return lists.find(([name]) => nouns.some((noun) => isNamed(name.toLowerCase(), noun)))?.[1];
  }
  const named = lists.find(([name]) => nouns.some((noun) => name.toLowerCase().includes(noun)));
  const isBare = lists.length === 1 && Object.keys(row).length <= fewFields;
  return (named ?? (isBare ? lists[0] : undefined))?.[1];
}

/**
 * Whether a row has an id of its own (`id`, `booking_id`), and not only those of records that it refers to (`lead_id`).
 */
export const hasOwnId = (row: JsonObject, nouns: readonly string[]): boolean =>
  Object.keys(row).some((name) => {
    const letters = lettersOf(name);
    return ['', ...nouns].some((noun) => new RegExp(`^${noun}(id|uid|uuid)$`).test(letters));
  });

/** Whether a row has any field named like an id, be it of the row or of a record that it refers to. */
export const hasId = (row: JsonObject): boolean =>
  // `leadId` ends with an id, and `paid` does not.
  Object.keys(row).some((name) => /^_?(id|uid|uuid)$|_id$/i.test(name) || /[a-z](Id|ID)$/.test(name));
