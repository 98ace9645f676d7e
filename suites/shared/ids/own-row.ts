import { isScalar, type JsonObject, walk } from '../../../common/json.ts';
import { isRecognised } from '../../session/reading/fingerprint.ts';
import { type Leaf, leavesOf, showsId } from '../../session/reading/id-places.ts';
import { mentions, standsIn } from '../../session/reading/own-words.ts';
import { isUnguessable } from '../../session/reading/unguessable.ts';
import { nounOf } from '../collections.ts';
import { idsInAnswer } from './answer-ids.ts';
import type { NewRecord } from './new-record.ts';

/**
 * The place of a new record's row; -1: the page does not show it. It is the only row that shows the words of the record
 * or, where none does, its fingerprint. Of several the one that repeats most of the create and its answer: somebody may
 * make a copy of the record, words and all, and the record itself may show its words in another form.
 */
export function placeOfRow(rows: readonly JsonObject[], record: NewRecord): number {
  const { tag, fingerprint } = record;
  const worded = rows.filter((row) => mentions(row, tag));
  const recognised = rows.filter((row) => isRecognised(row, tag, fingerprint));
  const row = worded.length > 0 ? likestRow(worded, rows, record) : onlyOf(recognised, rows, record);
  return row === undefined ? -1 : rows.indexOf(row);
}

/** The ids that the answer may show of the record itself. */
const answeredIds = (record: NewRecord): readonly string[] =>
  idsInAnswer(record).flatMap(({ id, standing }) => (standing === 'nested' ? [] : [id]));

/** The rows that show an id of the answer; none where several show the same, as they show the id of an account. */
const rowsById = (rows: readonly JsonObject[], record: NewRecord): readonly JsonObject[] =>
  answeredIds(record).flatMap((id) => {
    const found = rows.filter((row) => showsId(row, id));
    return found.length === 1 ? found : [];
  });

/** Several records of the run may refer to the same record: then the ids of the answer show which row it is. */
function onlyOf(
  recognised: readonly JsonObject[],
  rows: readonly JsonObject[],
  record: NewRecord,
): JsonObject | undefined {
  const named = rowsById(rows, record).find((row) => recognised.includes(row));
  return named ?? (recognised.length === 1 ? recognised[0] : undefined);
}

/**
 * The row that is most like the create and its answer, of those with the words and those that alone show a value of the
 * answer.
 */
function likestRow(
  worded: readonly JsonObject[],
  rows: readonly JsonObject[],
  record: NewRecord,
): JsonObject | undefined {
  const ids = answeredIds(record).filter((id) => rows.filter((row) => showsId(row, id)).length < 2);
  // A row without an id of the answer has to repeat the text with the words as it was sent or answered, or the answer
  // shows no ids.
  const isClear = (row: JsonObject): boolean =>
    ids.some((id) => showsId(row, id)) ||
    repeatsWords(row, record) > 0 ||
    (ids.length === 0 && !contradicts(row, record));
  const alone = answeredLeaves(record).flatMap((leaf): readonly JsonObject[] => {
    const found = rows.filter((row) => repeats(row, leaf, record));
    return found.length === 1 ? found : [];
  });
  const claiming = [...worded.filter(isClear), ...alone.filter((row) => repeatedIn(row, record) > 0)];
  return claiming.toSorted((one, other) => repeatedIn(other, record) - repeatedIn(one, record))[0];
}

const answeredLeaves = ({ answer, collection }: NewRecord): readonly Leaf[] =>
  answer.unredacted(({ payload }) => leavesOf(payload, nounOf(collection)));

/** Whether a row shows a value of the answer under its name, or how a secret of the answer begins or ends. */
const repeats = (row: JsonObject, { name, text }: Leaf, { collection }: NewRecord): boolean =>
  leavesOf(row, nounOf(collection)).some((one) => (one.name === name && one.text === text) || isHintOf(text, one.text));

const leastSecret = 20;
const leastHint = 4;

/** Whether a text is how a secret begins or ends, as lists show it. */
export const isHintOf = (secret: string, text: string): boolean =>
  secret.length >= leastSecret &&
  text.length >= leastHint &&
  text.length < secret.length &&
  (secret.startsWith(text) || secret.endsWith(text));

/**
 * Whether a row has another value under the name of something in the answer that stands in no other record: what nobody
 * can guess, such as an id of unknown name, and the words in any spelling.
 */
function contradicts(row: JsonObject, record: NewRecord): boolean {
  const shown = leavesOf(row, nounOf(record.collection));
  return answeredLeaves(record).some(({ name, text }) => {
    const named = shown.filter((one) => one.name === name);
    return (
      (isUnguessable(text) || plain(text).includes(plain(record.tag))) &&
      named.length > 0 &&
      named.every((one) => one.text !== text)
    );
  });
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * How much of the create and its answer a row repeats besides ids: values of the answer under their names, and texts
 * with the words.
 */
function repeatedIn(row: JsonObject, record: NewRecord): number {
  const ids = answeredIds(record);
  const others = answeredLeaves(record).filter(({ text }) => !ids.includes(text));
  return others.filter((leaf) => repeats(row, leaf, record)).length + repeatsWords(row, record);
}

/** How many texts of the create and its answer hold the words and stand in a row, too. */
export function repeatsWords(
  row: JsonObject,
  { tag, body, answer }: Pick<NewRecord, 'tag' | 'body' | 'answer'>,
): number {
  const texts = [body, answer.unredacted(({ payload }) => payload)]
    .flatMap((document) => walk(document))
    .flatMap(({ value }) => (typeof value === 'string' && standsIn(value, tag) ? [value] : []));
  const shown = new Set(walk(row).flatMap(({ value }) => (isScalar(value) ? [String(value)] : [])));
  return [...new Set(texts)].filter((text) => shown.has(text)).length;
}
