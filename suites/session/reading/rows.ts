import { type JsonObject, walk } from '../../../common/json.ts';
import { findMainList } from '../../../common/main-list.ts';
import type { Answer } from '../answer.ts';
import { type Identity, mentions } from './own-words.ts';
import { idsOf } from './shown-ids.ts';

/** The rows of a list answer; undefined where no list can be found in it. */
export const rowsIn = (json: unknown, ...nouns: readonly string[]): readonly JsonObject[] | undefined =>
  findMainList(json, ...nouns)?.rows;

/** The rows of a list as they came, secrets and all: for further calls, and never for a finding. */
export const rawRows = (answer: Pick<Answer, 'unredacted'>, noun: string): readonly JsonObject[] =>
  answer.unredacted(({ payload }) => rowsIn(payload, noun) ?? []);

/**
 * Whether a row of a list is the record: it shows one of its ids or, where it calls nothing an id or something else,
 * its words.
 */
export function isRecord(row: JsonObject, noun: string, { id, otherIds = [], aliases = [], tag }: Identity): boolean {
  const shown = idsOf(row, noun);
  if (shown.length === 0 || id === undefined) {
    return mentions(row, tag);
  }
  const isItsOwn = (): boolean => [...otherIds, ...aliases].some((one) => shown.includes(one)) || mentions(row, tag);
  return shown.includes(id) || (walk(row).some(({ value }) => String(value) === id) && isItsOwn());
}

/**
 * The place of a record's row; -1: none. Of several rows, another may show its id as the number of a row: the words
 * decide.
 */
export function rowPlace(rows: readonly JsonObject[], noun: string, record: Identity): number {
  const places = rows.flatMap((row, place) => (isRecord(row, noun, record) ? [place] : []));
  return places.find((place) => mentions(rows[place], record.tag)) ?? places[0] ?? -1;
}
