import { isScalar, type JsonObject, walk } from '../../../common/json.ts';
import { oncePerObject } from '../../../common/once-per-object.ts';
import { fitsInUrl } from '../../../common/uri.ts';
import { holdsId, type Leaf, leavesOf, textsLikeIds } from '../../reading/id-places.ts';
import { mentions } from '../../reading/own-words.ts';
import { recordIn } from '../../reading/record.ts';
import { idsOf, shownIds } from '../../reading/shown-ids.ts';
import { nounOf } from '../collections.ts';
import { idsInAnswer, isClear, type PlacedId } from './answer-ids.ts';
import { type Candidate, type Evidence, isNamed, type Standing, standings } from './evidence.ts';
import { isBeginningOf, isEndOf, keyTest } from './secrets.ts';
import type { Sources } from './sources.ts';

/** What the sources say, as facts about each candidate. */
export function weigh(sources: Sources): Evidence {
  const { reading, open, record, listed, taught } = sources;
  const shown = idsIn(sources);
  const documents = documentsOf(sources);
  const strongest = (id: string): Standing =>
    standings.find((standing) => shown.some((one) => one.id === id && one.standing === standing)) ?? 'text';
  const ids = [...new Set(shown.map(({ id }) => id))].filter(fitsInUrl);
  return {
    reading,
    open,
    candidates: ids.map((id) => candidateOf(id, strongest(id), documents, sources)),
    // The first record of the kind has shown which object is the record.
    isAnswerClear: taught !== undefined || (record !== null && isClear(record)),
    hasRow: listed.row !== undefined,
    isListWhole: listed.isWhole,
  };
}

const payloadOf = ({ record }: Sources): unknown => record?.answer.unredacted(({ payload }) => payload);

/** Most values that are weighed. */
const mostIds = 100;

/** What the answer and the row show, and that may be the id. */
function idsIn(sources: Sources): readonly PlacedId[] {
  const { collection, tag, reading, record, listed, taught } = sources;
  const { row } = listed;
  const noun = nounOf(collection);
  const payload = payloadOf(sources);
  // A text of the answer alone is a candidate only where a read can show that it is the id.
  const inAnswer = reading === 'none' ? undefined : recordIn(payload, noun);
  const texts = [row, inAnswer].flatMap((one) => (one === undefined ? [] : textsLikeIds(one, noun)));
  return [
    ...(taught === undefined ? [] : [{ id: taught, place: '', standing: 'taught' as const }]),
    ...(record === null ? [] : idsInAnswer(record)),
    ...(row === undefined ? [] : shownIds(row, noun, tag)),
    ...texts.map((id) => ({ id, place: '', standing: 'text' as const })),
  ].slice(0, mostIds);
}

/** The texts and numbers of what was read. */
interface Documents {
  /** Whether a text is the key that made the record. */
  readonly isKey: (text: string) => boolean;
  readonly answer: readonly Leaf[];
  /** The ids that the answer shows. */
  readonly answered: ReadonlySet<string>;
  readonly row: readonly Leaf[];
  readonly body: readonly Leaf[];
  readonly otherRows: readonly OtherRow[];
  /** The rows that lists showed before the create. */
  readonly earlier: readonly OtherRow[];
}

/** The row of another record, its JSON, and its leaves, which are read when they are needed. */
interface OtherRow {
  readonly row: JsonObject;
  readonly json: string;
  readonly leaves: () => readonly Leaf[];
}

function documentsOf(sources: Sources): Documents {
  const { collection, record, listed, earlierRows } = sources;
  const noun = nounOf(collection);
  const earlier = earlierRows.map((row) => otherRow(row, noun));
  const otherRows = [...listed.others.map((row) => otherRow(row, noun)), ...earlier];
  return {
    isKey: record === null ? () => false : keyTest(record),
    answer: leavesOf(payloadOf(sources), noun),
    answered: new Set(record === null ? [] : idsInAnswer(record).map(({ id }) => id)),
    row: leavesOf(listed.row, noun),
    body: leavesOf(record?.body, noun),
    otherRows,
    earlier,
  };
}

/** Rows are compared with every record of their kind. */
const otherRow = oncePerObject(
  (row: JsonObject, noun): OtherRow => ({
    row,
    json: JSON.stringify(row),
    leaves: onDemand(() => leavesOf(row, noun)),
  }),
);

/** Those of the rows that may show an id: their JSON has it somewhere. */
function mayShow(rows: readonly OtherRow[], id: string): readonly OtherRow[] {
  const text = JSON.stringify(id).slice(1, -1);
  return rows.filter(({ json }) => json.includes(text));
}

/** The rows of which an id is a text or number. */
const rowsWith = (rows: readonly OtherRow[], id: string): readonly OtherRow[] =>
  mayShow(rows, id).filter(({ row }) => walk(row).some(({ value }) => isScalar(value) && String(value) === id));

/** The facts about an id. */
function candidateOf(id: string, standing: Standing, documents: Documents, sources: Sources): Candidate {
  const { collection, runTag, reads } = sources;
  const holding = (leaves: readonly Leaf[]): readonly Leaf[] => leaves.filter(({ text }) => holdsId(text, id));
  const [inAnswer, inRow] = [holding(documents.answer), holding(documents.row)];
  const own = inRow.length > 0 ? inRow : inAnswer;
  return {
    id,
    standing,
    isInAnswer: inAnswer.length > 0 || documents.answered.has(id),
    isInRow: inRow.length > 0,
    isGiven: isGiven(own, documents.body, standing),
    isShared: isShared(id, documents, standing === 'alone' ? inRow : own, nounOf(collection)),
    isStrangers: rowsWith(documents.otherRows, id).some(({ row }) => !mentions(row, runTag)),
    isEarlier: rowsWith(documents.earlier, id).length > 0,
    isSecret:
      documents.isKey(id) ||
      (!isNamed(standing) && own.some(({ place }) => isSecretPlace(place))) ||
      (standing === 'text' && documents.answer.some(({ text }) => isEndOf(text, id))),
    isBeginning: standing === 'text' && documents.answer.some(({ text }) => isBeginningOf(text, id)),
    read: reads.get(id) ?? null,
  };
}

/** Whether a field is called a secret; `token_id` is called an id. */
const isSecretPlace = (place: string): boolean => /secret|sign|token/.test(place) && !/id$/.test(place);

function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/**
 * Whether another record has an id in the places where the record has it (`own`). Without places, as where the answer is
 * nothing but the id and no row shows it: whether another record has it for its own.
 */
function isShared(id: string, { otherRows }: Documents, own: readonly Leaf[], noun: string): boolean {
  return mayShow(otherRows, id).some(({ row, leaves }) =>
    own.length === 0
      ? idsOf(row, noun).includes(id)
      : areInSamePlaces(
          own,
          leaves().filter((leaf) => holdsId(leaf.text, id)),
        ),
  );
}

function areInSamePlaces(own: readonly Leaf[], others: readonly Leaf[]): boolean {
  const places = new Set(others.map(({ place }) => place));
  return own.every(({ place }) => places.has(place));
}

/**
 * Whether the body of the create gave a value wherever the record has it, in fields of the same names. A single field
 * that is not called the record's id may have another name in the body.
 */
function isGiven(own: readonly Leaf[], body: readonly Leaf[], standing: Standing): boolean {
  const texts = new Set(own.map(({ text }) => text));
  const given = new Set(body.flatMap(({ name, text }) => (texts.has(text) ? [name] : [])));
  const isRenamed = own.length === 1 && given.size > 0 && !isNamed(standing);
  return isRenamed || (own.length > 0 && own.every(({ name }) => given.has(name)));
}
