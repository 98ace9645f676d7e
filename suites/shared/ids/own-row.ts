import { isScalar, type JsonObject, walk } from '../../../common/json.ts';
import { isRecognised } from '../../session/reading/fingerprint.ts';
import { leavesOf, showsId } from '../../session/reading/id-places.ts';
import { mentions, standsIn } from '../../session/reading/own-words.ts';
import { nounOf } from '../collections.ts';
import { idsInAnswer } from './answer-ids.ts';
import type { NewRecord } from './new-record.ts';

/**
 * The place of a new record's row; -1: the page does not show it. Rows with the words of the record compete with the row that shows an id
 * of the answer: somebody may make a copy of the record, words and all, and a broken answer may show the id of another record. The row
 * that repeats most of the create and its answer wins.
 */
export function placeOfRow(rows: readonly JsonObject[], record: NewRecord): number {
  const claiming = [...rowsByWords(rows, record), ...rowsById(rows, record)];
  const likeness = new Map(claiming.map((row) => [row, repeatedIn(row, record)]));
  const [row] = claiming.toSorted((one, other) => (likeness.get(other) ?? 0) - (likeness.get(one) ?? 0));
  return row === undefined ? -1 : rows.indexOf(row);
}

/** The ids that the answer may show of the record itself. */
const answeredIds = (record: NewRecord): readonly string[] =>
  idsInAnswer(record).flatMap(({ id, standing }) => (standing === 'nested' ? [] : [id]));

/** The only row that shows an id of the answer; none where several do, as they show the id of an account. */
function rowsById(rows: readonly JsonObject[], record: NewRecord): readonly JsonObject[] {
  const found = answeredIds(record).map((id) => rows.filter((row) => showsId(row, id)));
  return found.find(({ length }) => length === 1) ?? [];
}

/**
 * The rows that show the words of the record or, where none does, the only one with its fingerprint. Where the answer shows ids and a row
 * has none of them, the row has to repeat a text with the words as it was sent or answered.
 */
function rowsByWords(rows: readonly JsonObject[], record: NewRecord): readonly JsonObject[] {
  const { tag, fingerprint } = record;
  const worded = rows.filter((row) => mentions(row, tag));
  if (worded.length > 0) {
    const ids = answeredIds(record);
    const isOwn = (row: JsonObject): boolean =>
      ids.length === 0 || ids.some((id) => showsId(row, id)) || repeatsWords(row, record) > 0;
    return worded.filter(isOwn);
  }
  const recognised = rows.filter((row) => isRecognised(row, tag, fingerprint));
  return recognised.length === 1 ? recognised : [];
}

/** How much of the create and its answer a row repeats: the values of the answer in their places, and all texts with the words. */
function repeatedIn(row: JsonObject, record: NewRecord): number {
  const noun = nounOf(record.collection);
  const shown = new Set(leavesOf(row, noun).map(({ place, text }) => `${place} ${text}`));
  const answered = record.answer.unredacted(({ payload }) => leavesOf(payload, noun));
  return answered.filter(({ place, text }) => shown.has(`${place} ${text}`)).length + repeatsWords(row, record);
}

/** How many texts of the create and its answer hold the words and stand in a row, too. */
function repeatsWords(row: JsonObject, { tag, body, answer }: NewRecord): number {
  const texts = [body, answer.unredacted(({ payload }) => payload)].flatMap(walk).flatMap(({ value }) =>
    typeof value === 'string' && standsIn(value, tag) ? [value] : [],
  );
  const shown = new Set(walk(row).flatMap(({ value }) => (isScalar(value) ? [String(value)] : [])));
  return [...new Set(texts)].filter((text) => shown.has(text)).length;
}
