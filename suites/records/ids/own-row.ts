import { at, isScalar, type JsonObject, parentOf, stringsIn, walk } from '../../../common/json.ts';
import { alphanumeric, unescapedAlphanumeric } from '../../../common/words.ts';
import { isRecognised } from '../../reading/fingerprint.ts';
import { type Leaf, leavesOf, showsId } from '../../reading/id-places.ts';
import { mentions, standsIn } from '../../reading/own-words.ts';
import { isUnguessable } from '../../reading/unguessable.ts';
import { nounOf } from '../collections.ts';
import type { PlacedId } from './answer-ids.ts';
import type { NewRecord } from './new-record.ts';
import { isHintOf, isTellingHintOf } from './secrets.ts';

/** What is known when the row of a new record is sought. */
interface Known {
  /** The ids in the answer to its create. */
  readonly shown: readonly PlacedId[];
  /** Rows of other records: of earlier lists and of earlier pages. What they show tells no record from others. */
  readonly earlier: readonly JsonObject[];
  /** The rows are those of all pages: no other row repeats more, so that the words with an addition will do. */
  readonly isAllRead: boolean;
}

/**
 * The place of a new record's row; -1: these rows do not show it. It is the only row that shows the words of the record
 * or, where none does, how its secret begins or its fingerprint. Of several the one that repeats most of the create and
 * its answer: somebody may make a copy of the record, words and all, and the record itself may show its words in
 * another form.
 */
export function placeOfRow(rows: readonly JsonObject[], record: NewRecord, known: Known): number {
  const { tag, fingerprint } = record;
  const texts = textsWithWords(record);
  const worded = rows.filter((row) => mentions(row, tag) || textsIn(row, texts) > 0);
  const recognised = rows.filter((row) => isRecognised(row, tag, fingerprint));
  // The ids that the answer may show of the record itself.
  const answered = known.shown.flatMap(({ id, standing }) => (standing === 'nested' ? [] : [id]));
  const ids = answered.filter((id) => !known.earlier.some((row) => showsId(row, id)));
  const row =
    worded.length > 0
      ? likestRow(worded, rows, record, { ...known, ids, texts })
      : (rowByHint(rows, record) ?? rowByMask(rows, texts, tag) ?? onlyOf(recognised, rows, ids));
  return row === undefined ? -1 : rows.indexOf(row);
}

/** The only row that shows how a secret of the answer begins or ends. It may show the words in another form. */
function rowByHint(rows: readonly JsonObject[], record: NewRecord): JsonObject | undefined {
  const answered = answeredLeaves(record);
  const showsHint = (row: JsonObject): boolean =>
    valuesOf(row, record).leaves.some(({ text }) => answered.some((leaf) => isTellingHintOf(leaf.text, text)));
  const [row, ...others] = rows.filter(showsHint);
  return others.length > 0 ? undefined : row;
}

/** The visible beginning of a text whose end is hidden: `https://example.com/hooks/aP…`. */
const masked = /^(\S{8,}?)(?:…|\.{3}|[*•]{2,})/;
/** How many characters of the words must be visible: no other record of the run is likely to have the same. */
const leastVisible = 2;

/** The only row that shows how a text with the words begins, and hides how it ends. */
function rowByMask(rows: readonly JsonObject[], texts: readonly string[], tag: string): JsonObject | undefined {
  const isMaskOf = (text: string, value: unknown): boolean => {
    const visible = typeof value === 'string' ? masked.exec(value)?.[1] : undefined;
    return visible !== undefined && text.startsWith(visible) && visible.length >= text.indexOf(tag) + leastVisible;
  };
  const showsMask = (row: JsonObject): boolean =>
    walk(row).some(({ value }) => texts.some((text) => text.includes(tag) && isMaskOf(text, value)));
  const [row, ...others] = rows.filter(showsMask);
  return others.length > 0 ? undefined : row;
}

/** The rows that show an id of the answer; none where several show the same, as they show the id of an account. */
const rowsById = (rows: readonly JsonObject[], ids: readonly string[]): readonly JsonObject[] =>
  ids.flatMap((id) => {
    const found = rows.filter((row) => showsId(row, id));
    return found.length === 1 ? found : [];
  });

/** Several records of the run may refer to the same record: then the ids of the answer show which row it is. */
function onlyOf(
  recognised: readonly JsonObject[],
  rows: readonly JsonObject[],
  ids: readonly string[],
): JsonObject | undefined {
  const named = rowsById(rows, ids).find((row) => recognised.includes(row));
  return named ?? (recognised.length === 1 ? recognised[0] : undefined);
}

/** The texts and numbers of a row, and the names of their fields. */
interface RowValues {
  readonly leaves: readonly Leaf[];
  readonly named: ReadonlySet<string>;
}

const namedText = ({ name, text }: Leaf): string => JSON.stringify([name, text]);

function valuesOf(row: JsonObject, { collection }: NewRecord): RowValues {
  const leaves = leavesOf(row, nounOf(collection));
  return { leaves, named: new Set(leaves.map(namedText)) };
}

/** What tells the row of a record: the ids of its answer that no earlier row shows, and its texts with the words. */
interface Telling extends Known {
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

/**
 * The row that is most like the create and its answer, of those with the words and those that alone show a value of the
 * answer; none if two are equally like them.
 */
function likestRow(
  worded: readonly JsonObject[],
  rows: readonly JsonObject[],
  record: NewRecord,
  { ids: answeredIds, shown, texts, earlier, isAllRead }: Telling,
): JsonObject | undefined {
  const values = new Map([...rows, ...earlier].map((row) => [row, valuesOf(row, record)]));
  const of = (row: JsonObject): RowValues => values.get(row) ?? valuesOf(row, record);
  const answered = answeredLeaves(record, objectsOfOthers(record, shown));
  const ids = answeredIds.filter((id) => rows.filter((row) => showsId(row, id)).length < 2);
  const others = answered.filter(({ text }) => !ids.includes(text));
  /** How much of the create and its answer a row repeats besides ids. */
  const repeatedIn = (row: JsonObject): number =>
    others.filter((leaf) => repeats(of(row), leaf)).length + textsIn(row, texts);
  // A row without an id of the answer has to repeat the text with the words as it was sent or answered. Where the answer
  // shows no ids, and no row repeats the text, the words with an addition will do.
  const isClear = (row: JsonObject): boolean =>
    ids.some((id) => showsId(row, id)) ||
    textsIn(row, texts) > 0 ||
    (isAllRead && ids.length === 0 && !contradicts(of(row), answered, record));
  const alone = answered.flatMap((leaf): readonly JsonObject[] => {
    const found = [...rows, ...earlier].filter((row) => repeats(of(row), leaf));
    return found.length === 1 ? found.filter((row) => rows.includes(row)) : [];
  });
  const claiming = new Set([...worded.filter(isClear), ...alone.filter((row) => repeatedIn(row) > 0)]);
  const ranked = [...claiming].map((row) => ({ row, repeated: repeatedIn(row) }));
  const [first, second] = ranked.toSorted((one, other) => other.repeated - one.repeated);
  return first?.repeated === second?.repeated ? undefined : first?.row;
}

/** Most values of an answer with which rows are compared. */
const mostCompared = 100;

const answeredLeaves = ({ answer, collection }: NewRecord, without: readonly string[] = []): readonly Leaf[] =>
  answer.unredacted(({ payload }) => leavesOf(payload, nounOf(collection), without)).slice(0, mostCompared);

/**
 * The objects in an answer that have an id of their own beside that of the record, and none of its words: such as the
 * key that made a key. Their rows repeat all that the answer says of them.
 */
function objectsOfOthers({ answer, tag }: NewRecord, shown: readonly PlacedId[]): readonly string[] {
  const nested = shown.filter(({ standing }) => standing === 'nested').map(({ place }) => parentOf(place));
  const isOwn = (place: string): boolean =>
    answer.unredacted(({ payload }) => place.includes('*') || mentions(at(payload, place), tag));
  return nested.length === shown.length ? [] : nested.filter((place) => place !== '' && !isOwn(place));
}

/** Whether a row shows a value of the answer under its name, or how a secret of the answer begins or ends. */
const repeats = ({ leaves, named }: RowValues, leaf: Leaf): boolean =>
  named.has(namedText(leaf)) || leaves.some(({ text }) => isHintOf(leaf.text, text));

/**
 * Whether a row has another value under the name of something in the answer that stands in no other record: what nobody
 * can guess, such as an id of unknown name, and the words in any spelling.
 */
function contradicts({ leaves, named }: RowValues, answered: readonly Leaf[], { tag }: NewRecord): boolean {
  const names = new Set(leaves.map(({ name }) => name));
  const isTelling = (text: string): boolean => isUnguessable(text) || alphanumeric(text).includes(alphanumeric(tag));
  return answered.some((leaf) => names.has(leaf.name) && !named.has(namedText(leaf)) && isTelling(leaf.text));
}

/**
 * The texts of a create and its answer that hold the words of the record. The answer may spell a text that was sent in
 * another way: `run_7` for `run-7`.
 */
export function textsWithWords({ tag, body, answer }: Pick<NewRecord, 'tag' | 'body' | 'answer'>): readonly string[] {
  const sent = stringsIn(body).filter((text) => standsIn(text, tag));
  const plainSent = new Set(sent.map(alphanumeric));
  const answered = answer
    .unredacted(({ payload }) => stringsIn(payload))
    .filter((text) => standsIn(text, tag) || plainSent.has(alphanumeric(text)));
  return [...new Set([...sent, ...answered])].slice(0, mostCompared);
}

/** How many of these texts stand in a row, in whatever spelling. */
function textsIn(row: JsonObject, texts: readonly string[]): number {
  const shown = new Set(
    walk(row).flatMap(({ value }) => (isScalar(value) ? [unescapedAlphanumeric(String(value))] : [])),
  );
  return texts.filter((text) => shown.has(unescapedAlphanumeric(text))).length;
}
