import { type Found, type FoundList, findLists, isObject, type JsonObject, pointerNames, walk } from './json.ts';

/** Names under which answers carry their main list when they do not name it after what it holds. */
const generic =
  /^(data|items?|results?|rows|records|entries|list|export|values?|content|(hydra:)?member|hits|objects|nodes|edges|elements|docs|documents|resources|collection)$/;
/** Lists that stand beside the records, and tell of them. */
const beside =
  /facet|count|column|filter|aggregat|bucket|link|error|warning|included|fields|schema|stats|summar|sort|breadcrumb|histogram/;

/**
 * The list of records that an answer is about: one named after them, else one with a generic name, else the only one. A map
 * by id and a list that is cut into groups count as lists. undefined where there is none, or several that nothing tells apart.
 */
export function findMainList(root: unknown, ...nouns: readonly string[]): FoundList | undefined {
  const found = walk(root);
  const arrays = findLists(root, found);
  const groups = groupsIn(found, arrays);
  const all = [
    ...groups,
    ...arrays.filter(({ pointer }) => !groups.some((group) => isWithin(pointer, group))),
    ...mapsIn(found),
  ];
  const scored = all.map((list) => ({ list, score: scoreOf(list.pointer, nouns) }));
  const best = Math.max(...scored.map(({ score }) => score));
  const [first, ...others] = scored.filter(({ score }) => score === best);
  return first === undefined || (best <= scores.other && others.length > 0) ? undefined : first.list;
}

const isWithin = (pointer: string, { pointer: outer }: FoundList): boolean => `${pointer}/`.startsWith(`${outer}/`);

const scores = { exact: 4, named: 3, generic: 2, other: 1, beside: 0 } as const;

function scoreOf(pointer: string, nouns: readonly string[]): number {
  const names = pointerNames(pointer.toLowerCase());
  const [last = '', parent = ''] = names.toReversed();
  if (nouns.some((noun) => last === `${noun}s` || (parent === `${noun}s` && generic.test(last)))) {
    return scores.exact;
  }
  if (beside.test(last)) {
    return scores.beside;
  }
  if (nouns.some((noun) => last.includes(noun))) {
    return scores.named;
  }
  return generic.test(last) ? scores.generic : scores.other;
}

const hasId = (row: JsonObject): boolean => Object.keys(row).some((name) => /^_?(id|uid|uuid)$|_id$|Id$/i.test(name));

/** Maps whose names are the ids of what they hold: a row that does not show its id gets it from there. */
const mapsIn = (all: readonly Found[]): FoundList[] =>
  all.flatMap((found) => {
    const { value, isInList } = found;
    const entries = isObject(value) && !isInList ? Object.entries(value) : [];
    const isMap =
      entries.length > 0 &&
      entries.every(
        ([name, row]) => isObject(row) && (Object.values(row).some((held) => String(held) === name) || /\d/.test(name)),
      );
    return isMap
      ? [
          {
            pointer: found.pointer,
            rows: entries.map(([id, row]) =>
              hasId(row as JsonObject) ? (row as JsonObject) : { id, ...(row as JsonObject) },
            ),
          },
        ]
      : [];
  });

const isRows = (value: unknown): value is JsonObject[] => Array.isArray(value) && value.every(isObject);

/** Records by day or by kind: `{"2025-03-03": […]}`, `[{"day": "2025-03-03", "bookings": […]}]`. */
function groupsIn(all: readonly Found[], arrays: readonly FoundList[]): FoundList[] {
  const byName = all.flatMap((found) => {
    const { value, isInList } = found;
    const entries = isObject(value) && !isInList ? Object.entries(value) : [];
    const isGrouped = entries.length > 0 && entries.every(([name, rows]) => /^\d{4}-\d\d/.test(name) && isRows(rows));
    return isGrouped ? [{ pointer: found.pointer, rows: entries.flatMap(([, rows]) => rows as JsonObject[]) }] : [];
  });
  const inRows = arrays.flatMap(({ pointer, rows }) => {
    const inner = rows.map((row) => Object.values(row).filter((value) => isRows(value) && value.length > 0));
    const isGrouped = rows.length > 0 && rows.every((row, index) => !hasId(row) && inner[index]?.length === 1);
    return isGrouped ? [{ pointer, rows: inner.flatMap((lists) => lists.flat() as JsonObject[]) }] : [];
  });
  return [...byName, ...inRows];
}
