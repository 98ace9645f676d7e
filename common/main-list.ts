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

/** Names under which answers carry their main list when they do not name it after what it holds. */
export const genericName =
  /^(data|items?|results?|rows|records|entries|list|export|values?|content|(hydra:)?member|hits|objects|nodes|edges|elements|docs|documents|resources|collection)$/i;
/** Lists that stand beside the records, and tell of them. */
const beside =
  /facet|(?<!ac|dis)count|total|column|filter|option|aggregat|bucket|breakdown|header|legend|link|error|warning|included|fields|schema|stat(s|istics)?$|summar|sort|breadcrumb|histogram|by_/;

/** How many fields a row of a summary or of a group has besides its list at most. */
const fewFields = 3;

const scores = { exact: 5, named: 4, generic: 3, identified: 2, other: 1, beside: 0 } as const;

/**
 * The list of records that an answer is about: one named after them, else one with a generic name, else one whose rows have
 * ids, else the only one: none that only tells of the records. A map by id and a list that is cut into groups count as lists.
 * undefined where there is none, or several that nothing tells apart.
 */
export function findMainList(root: unknown, ...nouns: readonly string[]): FoundList | undefined {
  const scored = listsIn(root, nouns)
    .map((list) => ({ list, score: scoreOf(list, nouns) }))
    .filter(({ list, score }) => score > scores.beside || names(list.pointer, nouns));
  const best = Math.max(...scored.map(({ score }) => score));
  const [first, ...others] = scored.filter(({ score }) => score === best);
  const isTold = best >= scores.generic || others.length === 0;
  return first === undefined || isTold ? first?.list : groupsAround(root, first.list);
}

/** Lists that stand beside one another and nothing else, of rows that look alike: one that is cut into groups, `{"past": […], "upcoming": […]}`. */
function groupsAround(root: unknown, { pointer }: FoundList): FoundList | undefined {
  const around = parentOf(pointer);
  const rows = groupsIn(at(root, around)) ?? [];
  const looks = new Set(rows.map((row) => Object.keys(row).sort().join()));
  const texts = new Set(rows.map((row) => JSON.stringify(row)));
  return looks.size === 1 && texts.size === rows.length ? { pointer: around, rows } : undefined;
}

/** The records of groups by any name, without what tells of them. What has an id is a record itself. */
const groupsIn = (value: unknown): JsonObject[] | undefined =>
  isObject(value) && !hasId(value)
    ? groupsByName(Object.fromEntries(Object.entries(value).filter(mayBeGroup)), true)
    : undefined;

const mayBeGroup = ([name, value]: [string, unknown]): boolean =>
  typeof value === 'object' && !beside.test(name.toLowerCase());

const names = (pointer: string, nouns: readonly string[]): boolean =>
  nouns.some((noun) => pointerNames(pointer.toLowerCase()).at(-1)?.includes(noun));

/** The list that stands where another answer of the same endpoint has it: an empty one has no look of its own. */
export function listLike(root: unknown, pointer: string | undefined, noun: string): FoundList | undefined {
  const value = pointer === undefined ? undefined : at(root, pointer);
  const isEmpty = value === null || (isObject(value) && Object.keys(value).length === 0);
  const rows = isEmpty
    ? []
    : (rowsOf(value, [noun]) ?? groupsIn(value) ?? (pointer === '' ? undefined : fewRows(value, noun)));
  return pointer !== undefined && rows !== undefined ? { pointer, rows } : findMainList(root, noun);
}

/**
 * Where several rows stood, few may look otherwise: what was XML once shows the only row itself, and a map by id of one or two
 * rows need not look like one.
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
  const names = pointerNames(pointer.toLowerCase());
  const [last = '', parent = ''] = names.toReversed();
  if (nouns.some((noun) => isNamed(last, noun) || (isNamed(parent, noun) && genericName.test(last)))) {
    return scores.exact;
  }
  if (beside.test(last)) {
    return scores.beside;
  }
  if (nouns.some((noun) => last.includes(noun))) {
    return scores.named;
  }
  if (genericName.test(last)) {
    return scores.generic;
  }
  return rows.length > 0 && rows.every(hasId) ? scores.identified : scores.other;
}

const isNamed = (name: string, noun: string): boolean => name === noun || name === `${noun}s`;

/** Every list of records that does not stand within another. */
const listsIn = (root: unknown, nouns: readonly string[]): FoundList[] =>
  outermostLists(walk(root), (found) => {
    const rows = rowsAt(found, nouns);
    return rows === undefined || isSummary(rows) ? undefined : rows;
  });

const rowsAt = ({ name, value }: Found, nouns: readonly string[]): readonly JsonObject[] | undefined =>
  rowsOf(value, nouns) ??
  groupsByName(
    value,
    nouns.some((noun) => name.toLowerCase().includes(noun)),
  );

/** The rows of a list, of a map by id, or of groups that stand in either. */
function rowsOf(value: unknown, nouns: readonly string[]): readonly JsonObject[] | undefined {
  const rows = isRows(value) ? value : (rowsOfMap(value, nouns) ?? rowsOfBatches(value));
  const inner = rows?.map((row) => innerRows(row, nouns));
  return inner?.every((list) => list !== undefined) ? inner.flat() : rows && recordsIn(rows, nouns);
}

/** Where rows carry their records beside a cursor or a score, or under their noun: `{"cursor": …, "node": {…}}`, `{"booking": {…}}`. */
function recordsIn(rows: readonly JsonObject[], nouns: readonly string[]): readonly JsonObject[] {
  const records = rows.map((row) => recordIn(row, nouns));
  return records.every((record) => record !== undefined) ? records : rows;
}

function recordIn(row: JsonObject, nouns: readonly string[]): JsonObject | undefined {
  const isNoun = (name: string): boolean => nouns.includes(name.toLowerCase());
  const [only, ...others] = Object.entries(row).filter(
    ([name, held]) => isObject(held) && (carrier.test(name) || isNoun(name)),
  );
  if (only === undefined || others.length > 0 || hasId(row)) {
    return undefined;
  }
  const [name, record] = only as [string, JsonObject];
  return isNoun(name) ? { ...row, ...record } : record;
}
const carrier = /^(node|item|record|resource|document|entity|_source)$/i;

/** Names that have no digit and are as long as one another are ids from this length on. */
const leastId = 12;

/** A map whose names are the ids of what it holds: a row that does not show its id gets it from there. */
function rowsOfMap(value: unknown, nouns: readonly string[]): JsonObject[] | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const ids = Object.keys(value);
  const isOfOneForm = ids.length > 1 && ids.every((id) => id.length === ids[0]?.length && id.length >= leastId);
  const isRow = (id: string): boolean => {
    const row = value[id];
    const isId = isOfOneForm || /\d/.test(id);
    // What stands in a list within may be the type of its rows: `{"bookings": {"edges": [{"type": "bookings"}]}}`.
    const isShown = (): boolean => walk(row).some(({ value: held, isInList }) => !isInList && String(held) === id);
    return isObject(row) && (isId || (!holdsObjectsAlone(row) && isShown()));
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

/** What holds nothing but objects is a map, and no record: its rows may have the name that it has, as their type. */
const holdsObjectsAlone = (row: JsonObject): boolean => Object.values(row).every(isObject);

/** Records in batches: `[[…], […]]`. */
const rowsOfBatches = (value: unknown): JsonObject[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((batch) => isRows(batch) && batch.length > 0)
    ? value.flat()
    : undefined;

/** Records by day, or where the name says what stands there, by anything: `{"2025-03-03": […]}`, `{"pending": […]}`. */
function groupsByName(value: unknown, isNamed: boolean): JsonObject[] | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const names = Object.keys(value);
  const isGrouped = names.length > 0 && names.every((name) => (isNamed || /\d/.test(name)) && isRows(value[name]));
  return isGrouped ? names.flatMap((name) => value[name] as JsonObject[]) : undefined;
}

/** The records of a group: `{"date": …, "bookings": […]}`. undefined: the row is a record itself. */
function innerRows(row: JsonObject, nouns: readonly string[]): readonly JsonObject[] | undefined {
  const lists = Object.entries(row).filter((entry): entry is [string, JsonObject[]] => isRows(entry[1]));
  if (hasId(row)) {
    // The id is that of what the group is of: `{"campaign_id": …, "keywords": […]}`.
    return lists.find(([name]) => nouns.some((noun) => isNamed(name.toLowerCase(), noun)))?.[1];
  }
  const named = lists.find(([name]) => nouns.some((noun) => name.toLowerCase().includes(noun)));
  const isBare = lists.length === 1 && Object.keys(row).length <= fewFields;
  return (named ?? (isBare ? lists[0] : undefined))?.[1];
}

/** Whether a row has an id that is not of what it refers to: the lead of a booking is not it. */
const hasOwnId = (row: JsonObject, nouns: readonly string[]): boolean =>
  Object.keys(row).some((name) => {
    const plain = name.replace(/[^a-z]/gi, '').toLowerCase();
    return ['', ...nouns].some((noun) => new RegExp(`^${noun}(id|uid|uuid)$`).test(plain));
  });

const hasId = (row: JsonObject): boolean => Object.keys(row).some((name) => /^_?(id|uid|uuid)$|_id$|Id$/i.test(name));

/** Whether a list stands beside the records, and tells of them: by its name, where that is not of what it holds, or by its rows. */
export const standsBeside = (pointer: string, rows: readonly unknown[], noun: string): boolean =>
  (isRows(rows) && isSummary(rows)) ||
  (beside.test(pointerNames(pointer.toLowerCase()).at(-1) ?? '') && !names(pointer, [noun]));

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
