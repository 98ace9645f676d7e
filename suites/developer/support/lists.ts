import { type FoundList, findId, isObject, type JsonObject, walk } from '../../../common/json.ts';

/** What stands beside records and is none: counts by status, columns, the filters that there are. */
const summaryName =
  /facet|(?<!ac|dis)count|summar|total|stat(s|istics)?$|column|filter|option|aggregat|breakdown|header|link|schema|legend|warning|by_/i;

/** How many fields a row of a summary or of a group has besides its list at most. */
const fewFields = 3;

/** Every list of records in a document: summaries beside them are left out. */
export function listsIn(root: unknown, nouns: readonly string[]): FoundList[] {
  const found: FoundList[] = [];
  for (const { pointer, name, value } of walk(root)) {
    const isInside = found.some((list) => pointer.startsWith(`${list.pointer}/`));
    const rows = isInside || summaryName.test(name) ? undefined : rowsAt(name, value, nouns);
    if (rows !== undefined && !isSummary(rows)) {
      found.push({ pointer, rows });
    }
  }
  return found;
}

/** The rows of a list, of a map by id, or of groups; an empty one has none. undefined: it is neither. */
export function groupedRows(value: unknown, nouns: readonly string[]): readonly JsonObject[] | undefined {
  if (Array.isArray(value)) {
    return value.every(isObject) ? value.flatMap((row) => innerRows(row, nouns) ?? [row]) : undefined;
  }
  if (!isObject(value)) {
    return value === null ? [] : undefined;
  }
  const inner = Object.values(value);
  return inner.every(isObject)
    ? inner.flatMap((row) => innerRows(row, nouns) ?? [row])
    : inner.every(isRows)
      ? inner.flat()
      : undefined;
}

const isRows = (value: unknown): value is JsonObject[] => Array.isArray(value) && value.every(isObject);

/** A list as such, and an object only where its names are data: ids or days, or the values that its noun's records are grouped by. */
function rowsAt(name: string, value: unknown, nouns: readonly string[]): readonly JsonObject[] | undefined {
  if (Array.isArray(value)) {
    return groupedRows(value, nouns);
  }
  if (!isObject(value) || Object.keys(value).length === 0) {
    return undefined;
  }
  const isNamed = nouns.some((noun) => name.toLowerCase().includes(noun));
  const isGrouped = isNamed && Object.values(value).every(isRows);
  return isGrouped || Object.keys(value).every((key) => /\d/.test(key)) ? groupedRows(value, nouns) : undefined;
}

/** The records of a group: `{"date": …, "bookings": […]}`. undefined: the row is a record itself. */
function innerRows(row: JsonObject, nouns: readonly string[]): readonly JsonObject[] | undefined {
  const lists = Object.entries(row).filter((entry): entry is [string, JsonObject[]] => isRows(entry[1]));
  const named = lists.find(([name]) => nouns.some((noun) => name.toLowerCase().includes(noun)));
  const isBare =
    lists.length === 1 && Object.keys(row).length <= fewFields && findId(row, '')?.pointer.lastIndexOf('/') !== 0;
  return (named ?? (isBare ? lists[0] : undefined))?.[1];
}

/** Rows that say how many there are of something. */
const isSummary = (rows: readonly JsonObject[]): boolean =>
  rows.length > 0 &&
  rows.every(
    (row) =>
      Object.keys(row).length <= fewFields &&
      Object.entries(row).some(
        ([name, value]) => /^(count|total|n|number|quantity)$/i.test(name) && typeof value === 'number',
      ),
  );
