import { at, isScalar, type JsonObject, scalarText, walk } from '../../common/json.ts';
import { holdsId } from './id-places.ts';
import { findMainList } from './main-list.ts';
import { type Identity, mentions, mentionsSpelled } from './own-words.ts';
import { idsOf } from './shown-ids.ts';
import { isUnguessable } from './unguessable.ts';

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
 * Whether a row of a list is the record: it shows one of its ids or, where it has no field for an id, its words. A row
 * with another id is another record's, such as that of a copy, which has the same words.
 */
function isRecord(row: JsonObject, noun: string, record: Identity): boolean {
  const { id, aliases = [], tag } = record;
  const shown = idsIn(row, noun, record);
  if (shown.length === 0 || id === undefined) {
    return mentions(row, tag);
  }
  const isItsOwn = (): boolean => aliases.some((one) => shown.includes(one)) || mentionsSpelled(row, tag);
  return shown.includes(id) || (walk(row).some(({ value }) => scalarText(value) === id) && isItsOwn());
}

/** The ids that a row shows of itself: in fields that are called ids or, where none is, as the answer calls them. */
function idsIn(row: JsonObject, noun: string, { id, idNames = [] }: Identity): readonly string[] {
  const shown = idsOf(row, noun);
  if (shown.length > 0) {
    return shown;
  }
  return walk(row).flatMap(({ name, value }) =>
    isScalar(value) && idNames.includes(name) ? [id !== undefined && holdsId(value, id) ? id : String(value)] : [],
  );
}

/**
 * The place of a record's row; -1: none. Of several rows, a copy with the words may refer to the record: the only one
 * that has its id for its own is the record's. But another may show a guessable id as the number of a row: then the
 * words decide. A row that shows the id only where other rows show it, too, is another's.
 */
export function rowPlace(rows: readonly JsonObject[], noun: string, record: Identity): number {
  const { id = '' } = record;
  const isItsRow = (row: JsonObject): boolean =>
    isRecord(row, noun, record) && (idsIn(row, noun, record).includes(id) || !showsAsOthers(rows, row, id));
  const places = rows.flatMap((row, place) => (isItsRow(row) ? [place] : []));
  const [own, ...more] = places.filter((place) => idsIn(rows[place] ?? {}, noun, record).includes(id));
  if (own !== undefined && more.length === 0 && isUnguessable(id)) {
    return own;
  }
  return places.find((place) => mentions(rows[place], record.tag)) ?? places[0] ?? placeByKeyField(rows, record);
}

/** Whether a row shows an id, and only where other rows show the same: as that of something that all refer to. */
function showsAsOthers(rows: readonly JsonObject[], row: JsonObject, id: string): boolean {
  const places = walk(row).filter(({ value }) => scalarText(value) === id);
  const isShared = (pointer: string): boolean =>
    rows.some((other) => other !== row && scalarText(at(other, pointer)) === id);
  return places.length > 0 && places.every(({ pointer }) => isShared(pointer));
}

/**
 * The place of the row that has the id of a record in a field in which each of several rows has a value of its own; -1:
 * none. A short number may be a count or an amount.
 */
const placeByKeyField = (rows: readonly JsonObject[], { id = '' }: Identity): number =>
  /\D|\d{10}/.test(id)
    ? rows.findIndex((row) =>
        walk(row).some(({ pointer, value }) => scalarText(value) === id && isKeyField(rows, pointer)),
      )
    : -1;

function isKeyField(rows: readonly JsonObject[], pointer: string): boolean {
  const values = rows.map((row) => at(row, pointer));
  return rows.length > 1 && values.every((value) => isScalar(value)) && new Set(values).size === rows.length;
}
