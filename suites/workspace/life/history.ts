import {
  type Found,
  type FoundList,
  findLists,
  isObject,
  isScalar,
  type JsonObject,
  walk,
} from '../../../common/json.ts';
import { isDate } from '../../reading/dates.ts';
import { recordIn } from '../../reading/record.ts';

const historyName = /histor|activit|timeline|event|audit|interaction|journey|trail|changes|log(s|book)?$/i;

/** A history that a detail view shows. */
export interface History {
  /** Where it is, as a JSON pointer. */
  readonly pointer: string;
  readonly isEmpty: boolean;
}

/** All values with their names; in `{"name": "history", "value": […]}` the name is a value beside it. */
const namedValues = (json: unknown): Pick<Found, 'pointer' | 'name' | 'value'>[] =>
  walk(json).map((found) => {
    const [label, value, ...others] = isObject(found.value) ? Object.values(found.value) : [];
    return typeof label === 'string' && others.length === 0 ? { pointer: found.pointer, name: label, value } : found;
  });

/**
 * The history in a detail view: a list, an object or a text named like one, or dated rows, in a list or in an object;
 * undefined: there is none.
 */
export function historyIn(json: unknown): History | undefined {
  const named = namedValues(json).filter(
    ({ name, value }) =>
      (historyName.test(name) && typeof value === 'object' && value !== null) || isProse({ name, value }),
  );
  const found = named.find(({ value }) => !isEmptyHistory(value)) ?? datedRowsIn(json)[0] ?? named[0];
  return found && { pointer: found.pointer, isEmpty: 'value' in found && isEmptyHistory(found.value) };
}

/** The lists and maps in a detail view all of whose rows are dated: a history, whatever it is called. */
const datedRowsIn = (json: unknown): { readonly pointer: string; readonly rows: readonly unknown[] }[] =>
  [...listsWithout(recordIn(json, 'lead'), json), ...mapsIn(json)].filter(
    ({ rows }) => rows.length > 0 && rows.every(isDated),
  );

/** Whether a history is prose, in one text. A text under a name such as `last_activity` is none. */
const isProse = ({ name, value }: Pick<Found, 'name' | 'value'>): boolean =>
  /histor|timeline|journey|logbook/i.test(name) && typeof value === 'string' && /\S\s+\S/.test(value);

const isDated = (row: unknown): boolean => walk(row).some(({ value }) => isDate(value));

/** The objects in a view that hold nothing but several objects with fields of the same names. */
const mapsIn = (json: unknown): { readonly pointer: string; readonly rows: readonly unknown[] }[] =>
  walk(json).flatMap(({ pointer, value }) => {
    const rows = isObject(value) ? Object.values(value) : [];
    const [first, ...others] = rows.map((row) => new Set(isObject(row) ? Object.keys(row) : []));
    const common = [...(first ?? [])].filter((name) => others.every((names) => names.has(name)));
    return others.length > 0 && common.length > 1 ? [{ pointer, rows }] : [];
  });

/** The lists in a view that do not have the record as a row: those beside it and those within it. */
function listsWithout(record: JsonObject | undefined, json: unknown): FoundList[] {
  const place = walk(json).find(({ value }) => value === record)?.pointer ?? '';
  const within = findLists(record).map((list) => ({ ...list, pointer: `${place}${list.pointer}` }));
  return [...findLists(json).filter(({ rows }) => record === undefined || !rows.includes(record)), ...within];
}

/** Whether a history contains nothing but empty lists and objects, nulls and zeros. */
const isEmptyHistory = (history: unknown): boolean =>
  walk(history).every(({ value }) => value === null || value === 0 || typeof value === 'object');

/** The values that a record shows of itself now: those in its history may be former ones. */
export function valuesOutsideHistory(json: unknown): Found[] {
  const named = walk(json).filter(({ name, value }) => historyName.test(name) && hasEntries(value));
  const histories = [...named, ...datedRowsIn(json).filter(({ pointer }) => isRecordOutside(json, pointer))];
  return walk(json).filter(
    (found) => !isProse(found) && !histories.some((history) => found.pointer.startsWith(`${history.pointer}/`)),
  );
}

/** A record has more fields than the numbers that are beside a list. */
const leastFields = 4;

/** Whether the record is outside of a part of the view: a list may also hold nothing but the record itself. */
const isRecordOutside = (json: unknown, part: string): boolean =>
  walk(json).some(
    ({ pointer, value }) =>
      isObject(value) && !pointer.startsWith(part) && Object.values(value).filter(isScalar).length >= leastFields,
  );

const hasEntries = (value: unknown): boolean => {
  const lists = isObject(value) ? Object.values(value) : [value];
  return lists.some((list) => Array.isArray(list) && list.some(isObject));
};
