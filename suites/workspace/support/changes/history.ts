import { type Found, type FoundList, findLists, isObject, type JsonObject, walk } from '../../../../common/json.ts';
import { recordIn } from '../../../session/reading/record.ts';

const historyName = /histor|activit|timeline|event|audit|interaction|journey|trail|changes|log(s|book)?$/i;

/** A history that a detail view shows, and where. */
export interface History {
  readonly pointer: string;
  /** It holds no entry. */
  readonly isEmpty: boolean;
}

/** All values by their names; in `{"name": "history", "value": […]}` the name stands beside the value. */
const named = (json: unknown): Pick<Found, 'pointer' | 'name' | 'value'>[] =>
  walk(json).map((found) => {
    const [label, value, ...others] = isObject(found.value) ? Object.values(found.value) : [];
    return typeof label === 'string' && others.length === 0 ? { pointer: found.pointer, name: label, value } : found;
  });

/** Where a detail view keeps its history: a list or object named like one, or a list of records that shows moments. */
export function historyIn(json: unknown): History | undefined {
  const likely = named(json).filter(
    ({ name, value }) => historyName.test(name) && typeof value === 'object' && value !== null,
  );
  const dated = listsBeside(json, recordIn(json, 'lead')).find(
    ({ rows }) => rows.length > 0 && rows.every((row) => walk(row).some(({ value }) => isMoment(value))),
  );
  const found = likely.find(({ value }) => !isEmptyHistory(value)) ?? dated ?? likely[0];
  return found && { pointer: found.pointer, isEmpty: 'value' in found && isEmptyHistory(found.value) };
}

/** The lists in a view that the record stands in none of: those beside it, and those within it. */
function listsBeside(json: unknown, record: JsonObject | undefined): FoundList[] {
  const place = walk(json).find(({ value }) => value === record)?.pointer ?? '';
  const within = findLists(record).map((list) => ({ ...list, pointer: `${place}${list.pointer}` }));
  return [...findLists(json).filter(({ rows }) => record === undefined || !rows.includes(record)), ...within];
}

/** Nothing in it but empty lists and counts of nothing. */
const isEmptyHistory = (history: unknown): boolean =>
  walk(history).every(({ value }) => value === null || value === 0 || typeof value === 'object');

/** A date as text, of ISO 8601, of mails, or as a country writes it; seconds or milliseconds, also as text. */
const moment = /^\d{4}[-./]\d\d?[-./]\d|^\d\d?[-./]\d\d?[-./]\d{4}|^[A-Z][a-z]{2}, \d|^\d{10}(\d{3})?(\.\d+)?$/;

const isMoment = (value: unknown): boolean =>
  (typeof value === 'string' && moment.test(value)) || (typeof value === 'number' && value > 1e9);

/** The values of a record itself: those in a list of entries that is named like a history tell of what was. */
export function valuesBesideHistory(json: unknown): Found[] {
  const histories = walk(json).filter(({ name, value }) => historyName.test(name) && holdsEntries(value));
  return walk(json).filter(({ pointer }) => !histories.some((one) => pointer.startsWith(`${one.pointer}/`)));
}

const holdsEntries = (value: unknown): boolean => {
  const lists = isObject(value) ? Object.values(value) : [value];
  return lists.some((list) => Array.isArray(list) && list.some(isObject));
};
