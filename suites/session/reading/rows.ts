import { type JsonObject, walk } from '../../../common/json.ts';
import { findMainList } from '../../../common/main-list.ts';
import type { Answer } from '../answer.ts';
import { type Identity, mentions } from './own-words.ts';
import { idsOf, sureIdsOf } from './record.ts';

/** The rows of a list answer; undefined where no list can be found in it. */
export const rowsIn = (json: unknown, ...nouns: readonly string[]): readonly JsonObject[] | undefined =>
  findMainList(json, ...nouns)?.rows;

/** The rows of a list as they came, secrets and all: for further calls, and never for a finding. */
export const rawRows = (answer: Pick<Answer, 'unredacted'>, noun: string): readonly JsonObject[] =>
  answer.unredacted(({ payload }) => rowsIn(payload, noun) ?? []);

/** Whether a field of the row is surely called its id. */
export const showsSureId = (row: JsonObject, noun: string): boolean => sureIdsOf(row, noun).length > 0;

/** No id is longer: a pattern that looks ahead takes long on long texts. */
const longestId = 128;

/** A name of a time, and a number that may be one: seconds or milliseconds since 1970. */
const timeName = /(_at|At|_on|date|time|stamp|created|updated|modified)$/;
const mayBeTime = (name: string, value: number): boolean => timeName.test(name) && value > 1e9 && value < 1e13;

/** What else may be the id of a row in which no field is surely called one: numbers, and words of no language; none that is a time. */
export const unnamedIdsOfRow = (row: JsonObject, noun: string): string[] =>
  (sureIdsOf(row, noun).length > 0 ? [] : Object.entries(row)).flatMap(([name, value]) => {
    const text = typeof value === 'number' && !mayBeTime(name, value) ? String(value) : value;
    return typeof text === 'string' &&
      text.length <= longestId &&
      /^(?=.*\d|.*[a-z].*[A-Z]|.*[A-Z].*[a-z])[^\s/]+$/.test(text) &&
      !/^\d{4}-\d\d-\d\d/.test(text)
      ? [text]
      : [];
  });

/** Whether a row of a list is the record of these ids or, where the row calls nothing an id, or another thing, of those words. */
export function isRecord(row: JsonObject, noun: string, { id, otherIds = [], aliases = [], tag }: Identity): boolean {
  const shown = idsOf(row, noun);
  if (shown.length === 0 || id === undefined) {
    return mentions(row, tag);
  }
  const isItsOwn = (): boolean => [...otherIds, ...aliases].some((one) => shown.includes(one)) || mentions(row, tag);
  return shown.includes(id) || (walk(row).some(({ value }) => String(value) === id) && isItsOwn());
}

/** The place of a record's row; -1: none. Where another row shows its id as the number of a row, say, its words tell. */
export function rowPlace(rows: readonly JsonObject[], noun: string, record: Identity): number {
  const places = rows.flatMap((row, place) => (isRecord(row, noun, record) ? [place] : []));
  return places.find((place) => mentions(rows[place], record.tag)) ?? places[0] ?? -1;
}
