import type { JsonObject } from '../../common/json.ts';
import { findMainList } from './main-list.ts';
import { type Identity, mentions } from './own-words.ts';
import { idsOf } from './shown-ids.ts';

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
 */
export function rowPlace(rows: readonly JsonObject[], noun: string, record: Identity): number {
  const places = rows.flatMap((row, place) => (isRecord(row, noun, record) ? [place] : []));
  return places.find((place) => mentions(rows[place], record.tag)) ?? places[0] ?? -1;
}
