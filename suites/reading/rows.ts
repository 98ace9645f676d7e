import {
  at,
  type FoundList,
  findLists,
  isEmptyValue,
  isObject,
  isRows,
  type JsonObject,
  parentOf,
  pointerNames,
} from '../../common/json.ts';
import { type Shape, type Shapes, shapeName } from '../../settings/bodies-file.ts';
import { type Identity, mentions } from './own-words.ts';
import { idsOf, isUnguessable, recordIn } from './record.ts';

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
 * not count. undefined if there is none, or if several are equally likely; the user can say where it is (BODIES).
 */
export function findMainList(root: unknown, ...nouns: readonly string[]): FoundList | undefined {
  const candidates = findLists(root)
    .filter(({ rows }) => !areCounts(rows) && !areGroups(rows))
    .map((list) => ({ list, score: scoreOf(list, nouns) }))
    .filter(({ score }) => score > scores.descriptive)
    .filter(({ list, score }) => score > scores.anyOther || !isFieldOfRecord(root, list));
  const best = Math.max(...candidates.map(({ score }) => score));
  const [first, ...others] = candidates.filter(({ score }) => score === best);
  return first !== undefined && (best >= scores.genericName || others.length === 0) ? first.list : undefined;
}

/**
 * The list at the pointer where another answer of the same endpoint had it, even if it is empty and looks like no list.
 * Without a pointer, or if nothing there can be a list, what `findMainList` finds.
 */
export function listLike(root: unknown, pointer: string | undefined, noun: string): FoundList | undefined {
  const value = pointer === undefined ? undefined : at(root, pointer);
  const rows = isRows(value) ? value : value !== undefined && isEmptyValue(value) ? [] : undefined;
  return pointer === undefined || rows === undefined ? findMainList(root, noun) : { pointer, rows };
}

/** Whether a field is named exactly by a noun, in the singular or the plural. Both in lower case. */
const isNamed = (name: string, noun: string): boolean => name === noun || name === `${noun}s`;

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

/** Whether a list is an empty field of a record, as in a map of records by their ids, and not the list of records. */
const isFieldOfRecord = (root: unknown, { pointer, rows }: FoundList): boolean => {
  const owner = at(root, parentOf(pointer));
  return rows.length === 0 && isObject(owner) && hasId(owner);
};

/** Whether a row has any field named like an id, JSON-LD's among them. `leadId` ends with one, and `paid` does not. */
const hasId = (row: JsonObject): boolean =>
  Object.keys(row).some((name) => /^[@_]?(id|uid|uuid)$|_id$/i.test(name) || /[a-z](Id|ID)$/.test(name));

/**
 * Whether rows are groups, as `[{"date": …, "bookings": […]}]`: they are no records, and which are is not told. An
 * empty list in each is PHP's empty object.
 */
const areGroups = (rows: readonly JsonObject[]): boolean =>
  rows.some((row) => Object.values(row).some((held) => isRows(held) && held.length > 0)) &&
  rows.every((row) => !hasId(row) && Object.values(row).some(isRows));

/** Whether each row only counts something, as `{"status": "active", "count": 2}`. */
const areCounts = (rows: readonly JsonObject[]): boolean =>
  rows.length > 0 &&
  rows.every(
    (row) =>
      Object.keys(row).length <= 3 &&
      Object.entries(row).some(
        ([name, value]) => /^(count|total|n|number|quantity)$/i.test(name) && typeof value === 'number',
      ),
  );

/** The rows of a list answer; undefined where no list can be found in it. */
export const rowsIn = (json: unknown, ...nouns: readonly string[]): readonly JsonObject[] | undefined =>
  findMainList(json, ...nouns)?.rows;

/** What gives its payload as it came. */
interface Unredacted {
  unredacted<T>(read: (body: { readonly payload: unknown }) => T): T;
}

/** The rows of a list as they came, secrets and all: for further calls, and never for a finding. */
export const rawRows = (answer: Unredacted, noun: string): readonly JsonObject[] =>
  answer.unredacted(({ payload }) => rowsIn(payload, noun) ?? []);

/**
 * Whether a row of a list is the record: it shows its id or, where no field is called an id, its words. A row with
 * another id is another record's, such as that of a copy, which has the same words.
 */
function isRecord(row: JsonObject, noun: string, { id, tag }: Identity): boolean {
  const ids = idsOf(row, noun);
  return id !== undefined && ids.length > 0 ? ids.includes(id) : mentions(row, tag);
}

/**
 * The place of a record's row; -1: none. Another row may show a guessable id as its number: then the words decide.
 * `before`: an earlier row of the record. Where that had its words, a row with its guessable id alone is another's.
 */
export function rowPlace(rows: readonly JsonObject[], noun: string, record: Identity, before?: JsonObject): number {
  const isWorded = mentions(before, record.tag) && !isUnguessable(record.id ?? '');
  const isOwn = (row: JsonObject): boolean => isRecord(row, noun, record) && (!isWorded || mentions(row, record.tag));
  const places = rows.flatMap((row, place) => (isOwn(row) ? [place] : []));
  return places.find((place) => mentions(rows[place], record.tag)) ?? places[0] ?? -1;
}

/** What the user, or the deployment's own document, says about the answers of a call; undefined: nothing. */
export const shapeOf = (shapes: Shapes, endpoint: string | null): Shape | undefined =>
  endpoint === null ? undefined : shapes[shapeName(endpoint.split(' ')[1] ?? '')];

/** What an answer shows, read at the places that its shape names. */
export interface Shaped {
  /** The payload, with each id in a field `id`, and the rows as a list: where convention looks for them. */
  readonly payload: unknown;
  /** How the list goes on; undefined: the shape does not say. */
  readonly next: { readonly name: string; readonly value: unknown } | undefined;
}

/** Reads an answer by its shape. What does not stand at the named place is read by convention. */
export function readByShape(
  shape: Shape | undefined,
  endpoint: string | null,
  json: unknown,
  payload: unknown,
): Shaped {
  if (shape === undefined || endpoint === null) {
    return { payload, next: undefined };
  }
  const [method = '', path = ''] = endpoint.split(' ');
  const isList = method === 'GET' && !path.includes(':id');
  const noun = shapeName(path).replace(/s$/, '');
  if (!isList) {
    const record = recordIn(payload, noun);
    return { payload: record && shape.id !== undefined ? withId(shape, record) : payload, next: undefined };
  }
  const { next } = shape;
  const there = shape.rows === undefined ? findMainList(payload, noun)?.rows : at(json, shape.rows);
  return {
    payload: isRows(there) ? there.map((row) => withId(shape, row)) : payload,
    next: next === undefined ? undefined : { name: pointerNames(next).at(-1) ?? '', value: at(json, next) },
  };
}

function withId({ id: place }: Shape, record: JsonObject): JsonObject {
  const id = place === undefined ? undefined : at(record, place);
  return id === undefined ? record : { ...record, id };
}
