import {
  at,
  type Found,
  type FoundList,
  isObject,
  isRows,
  type JsonObject,
  outermostLists,
  parentOf,
  pointerNames,
  walk,
} from './json.ts';
import { fewFields, hasId, hasOwnId, isNamed, rowsOf, rowsOfGroups } from './list-rows.ts';

/** Names under which answers carry their main list when they do not name it after its records. */
const genericName =
  /^(data|items?|results?|rows|records|entries|list|export|values?|content|(hydra:)?member|hits|objects|nodes|edges|elements|docs|documents|resources|collection)$/i;
/** Names of lists that describe the records, such as facets, columns and counts. */
const descriptiveName =
  /facet|(?<!ac|dis)count|total|column|filter|option|aggregat|bucket|breakdown|header|legend|link|error|warning|included|fields|schema|stat(s|istics)?$|summar(?!ies)|sort|breadcrumb|histogram|by_/;

/** How likely a list is the main one, by what its name and its rows show. */
const scores = {
  exactName: 5,
  nameIncludesNoun: 4,
  genericName: 3,
  rowsHaveIds: 2,
  anyOther: 1,
  descriptive: 0,
} as const;

/**
 * The list of records that an answer is about. In this order: a list named after them (`nouns`, in the singular and
 * lower case), one with a generic name, one whose rows have ids, the only list. Lists that only describe the records do
 * not count. A map by id and a list that is cut into groups count as lists. undefined if there is none, or if several
 * are equally likely.
 */
export function findMainList(root: unknown, ...nouns: readonly string[]): FoundList | undefined {
  const candidates = listsIn(root, nouns)
    .map((list) => ({ list, score: scoreOf(list, nouns) }))
    .filter(({ list, score }) => score > scores.descriptive || nameIncludes(list.pointer, nouns));
  const best = Math.max(...candidates.map(({ score }) => score));
  const [first, ...others] = candidates.filter(({ score }) => score === best);
  if (first === undefined) {
    return undefined;
  }
  const isClear = best >= scores.genericName || others.length === 0;
  return isClear ? first.list : groupedList(root, first.list, nouns);
}

/**
 * The list that sibling lists form together, as in `{"past": […], "upcoming": […]}`, if all their rows have the same
 * fields.
 */
function groupedList(root: unknown, { pointer }: FoundList, nouns: readonly string[]): FoundList | undefined {
  const parent = parentOf(pointer);
  const rows = rowsOfSiblings(at(root, parent), nouns) ?? [];
  const fieldSets = new Set(rows.map((row) => Object.keys(row).sort().join()));
  const texts = new Set(rows.map((row) => JSON.stringify(row)));
  return fieldSets.size === 1 && texts.size === rows.length ? { pointer: parent, rows } : undefined;
}

/**
 * The records of groups with any names, leaving out what describes them. An object with an id is a record, not groups.
 */
const rowsOfSiblings = (value: unknown, nouns: readonly string[]): readonly JsonObject[] | undefined =>
  isObject(value) && !hasId(value)
    ? rowsOfGroups(Object.fromEntries(Object.entries(value).filter(mayBeGroup)), nouns, true)
    : undefined;

const mayBeGroup = ([name, value]: [string, unknown]): boolean =>
  typeof value === 'object' && !descriptiveName.test(name.toLowerCase());

const nameIncludes = (pointer: string, nouns: readonly string[]): boolean =>
  nouns.some((noun) => pointerNames(pointer.toLowerCase()).at(-1)?.includes(noun));

/**
 * The list at the pointer where another answer of the same endpoint had it, even if it is empty and looks like no list.
 * Without a pointer, or if nothing there can be a list, what `findMainList` finds.
 */
export function listLike(root: unknown, pointer: string | undefined, noun: string): FoundList | undefined {
  const rows = pointer === undefined ? undefined : rowsAtKnown(at(root, pointer), pointer, noun);
  return pointer === undefined || rows === undefined ? findMainList(root, noun) : { pointer, rows };
}

function rowsAtKnown(value: unknown, pointer: string, noun: string): readonly JsonObject[] | undefined {
  const isEmpty = value === null || (isObject(value) && Object.keys(value).length === 0);
  if (isEmpty) {
    return [];
  }
  return rowsOf(value, [noun]) ?? rowsOfSiblings(value, [noun]) ?? (pointer === '' ? undefined : fewRows(value, noun));
}

/**
 * The rows of a list that looks otherwise because it holds few: JSON that was converted from XML shows a single row
 * without its list, and a map by id of one or two rows need not look like one.
 */
function fewRows(value: unknown, noun: string): JsonObject[] | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const entries = Object.entries(value);
  if (entries.every((entry): entry is [string, JsonObject] => isObject(entry[1]))) {
    return entries.map(([id, row]) =>
      hasOwnId(row, [noun]) || isNamed(id.toLowerCase(), noun) ? row : { id, ...row },
    );
  }
  return entries.some(([, held]) => isRows(held)) ? undefined : [value];
}

function scoreOf({ pointer, rows }: FoundList, nouns: readonly string[]): number {
  const [last = '', parent = ''] = pointerNames(pointer.toLowerCase()).toReversed();
  if (nouns.some((noun) => isNamed(last, noun) || (isNamed(parent, noun) && genericName.test(last)))) {
    return scores.exactName;
  }
  if (descriptiveName.test(last)) {
    return scores.descriptive;
  }
  if (nouns.some((noun) => last.includes(noun))) {
    return scores.nameIncludesNoun;
  }
  if (genericName.test(last)) {
    return scores.genericName;
  }
  return rows.length > 0 && rows.every(hasId) ? scores.rowsHaveIds : scores.anyOther;
}

/** Every list of records that is not within another. */
const listsIn = (root: unknown, nouns: readonly string[]): FoundList[] =>
  outermostLists(walk(root), (found) => {
    const rows = rowsAt(found, nouns);
    return rows === undefined || areCounts(rows) ? undefined : rows;
  });

const rowsAt = ({ name, value }: Found, nouns: readonly string[]): readonly JsonObject[] | undefined =>
  rowsOf(value, nouns) ??
  rowsOfGroups(
    value,
    nouns,
    nouns.some((noun) => name.toLowerCase().includes(noun)),
  );

/** Whether each row only counts something, as `{"status": "active", "count": 2}`. */
const areCounts = (rows: readonly JsonObject[]): boolean =>
  rows.length > 0 &&
  rows.every(
    (row) =>
      Object.keys(row).length <= fewFields &&
      Object.entries(row).some(
        ([name, value]) => /^(count|total|n|number|quantity)$/i.test(name) && typeof value === 'number',
      ),
  );
