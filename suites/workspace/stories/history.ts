import { type Found, type FoundList, findLists, isObject, walk } from '../../../common/json.ts';
import { snakeCase } from '../../../common/words.ts';
import { recordIn } from '../../reading/record.ts';
import { isDate } from '../../records/listed-records.ts';

/** The words that name a history. `conversions` and `catalog` are none, although they have such letters in them. */
const historyWord =
  /(^|_)(histor(y|ies)|activit(y|ies)|timelines?|events?|audits?|interactions?|journey|(audit_?)?trail|change(s|log)|versions|log(s|book)?)(_|$)/;

const isHistoryName = (name: string): boolean => historyWord.test(snakeCase(name.replaceAll('-', '_')));

/** The place of the history in a detail view: a list, an object or a text that is named like one, or dated rows. */
export const historyIn = (json: unknown): string | undefined =>
  [...namedHistories(json).filter(({ value }) => mayTell(value)), ...datedListsIn(json)][0]?.pointer;

/** The fields that are named like a history, whatever they hold. */
const namedHistories = (json: unknown): Found[] => walk(json).filter(({ name }) => isHistoryName(name));

/** Whether a value may be a history: a text of one word is a link or a setting, and a date tells when, not what. */
const mayTell = (value: unknown): boolean =>
  typeof value === 'string' ? /\w\s+\w/.test(value) && !isDate(value) : typeof value === 'object' && value !== null;

/** The lists in a detail view all of whose rows are dated, beside the record or within it: a history by any name. */
function datedListsIn(json: unknown): FoundList[] {
  const record = recordIn(json, 'lead');
  const isDated = (row: unknown): boolean => walk(row).some(({ value }) => isDate(value));
  return findLists(json).filter(
    ({ rows }) => rows.length > 0 && !rows.some((row) => row === record) && rows.every(isDated),
  );
}

/** The values that a record shows of itself now: those in its history may be former ones. */
export function valuesOutsideHistory(json: unknown): Found[] {
  const histories = namedHistories(json).filter(({ value }) => hasRows(value));
  return walk(json).filter(({ pointer }) => !histories.some((history) => pointer.startsWith(`${history.pointer}/`)));
}

const hasRows = (value: unknown): boolean => {
  const lists = isObject(value) ? Object.values(value) : [value];
  return lists.some((list) => Array.isArray(list) && list.some(isObject));
};
