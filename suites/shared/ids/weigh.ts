import { isScalar, walk } from '../../../common/json.ts';
import { holdsId, type Leaf, leavesOf, showsId, textsLikeIds } from '../../session/reading/id-places.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { recordIn } from '../../session/reading/record.ts';
import { shownIds } from '../../session/reading/shown-ids.ts';
import { nounOf } from '../collections.ts';
import { idsInAnswer, isClear, type PlacedId } from './answer-ids.ts';
import { type Candidate, type Evidence, type Standing, standings } from './evidence.ts';
import type { Sources } from './sources.ts';

/** What the sources say, as facts about each candidate. */
export function weigh(sources: Sources): Evidence {
  const { reading, open, record, listed, exemplar } = sources;
  const shown = idsIn(sources);
  const documents = documentsOf(sources);
  const strongest = (id: string): Standing =>
    standings.find((standing) => shown.some((one) => one.id === id && one.standing === standing)) ?? 'text';
  const ids = [...new Set(shown.map(({ id }) => id))];
  return {
    reading,
    open,
    candidates: ids.map((id) => candidateOf(id, strongest(id), documents, sources)),
    isAnswerClear: record !== null && isClear(record),
    hasRow: listed.row !== undefined,
    isListWhole: listed.isWhole,
    exemplarId: exemplar?.id ?? null,
  };
}

const payloadOf = ({ record }: Sources): unknown => record?.answer.unredacted(({ payload }) => payload);

/** All that the answer and the row show, and that may be the id. */
function idsIn(sources: Sources): readonly PlacedId[] {
  const { collection, tag, reading, record, listed } = sources;
  const { row } = listed;
  const noun = nounOf(collection);
  const payload = payloadOf(sources);
  // A word that is the whole answer may be a message. Where the row shows it too, it is an id.
  const isId = typeof payload === 'string' && !isPlainWord(payload) && showsId(row, payload);
  // A text of the answer alone is a candidate only where a read can show that it is the id.
  const inAnswer = reading === 'shows the record' ? recordIn(payload, noun) : undefined;
  const texts = [row, inAnswer].flatMap((one) => (one === undefined ? [] : textsLikeIds(one, noun)));
  return [
    ...(record === null ? [] : idsInAnswer(record)),
    ...(row === undefined ? [] : shownIds(row, noun, tag)),
    ...(isId ? [{ id: payload, place: '', standing: 'alone' as const }] : []),
    ...texts.map((id) => ({ id, place: '', standing: 'text' as const })),
  ];
}

/** A word as languages write it: `created`, `Created`, `OK`. */
const isPlainWord = (text: string): boolean => /^(?:[A-Za-z]?[a-z]*|[A-Z]+)$/.test(text);

/** The texts and numbers of all that was read. */
interface Documents {
  readonly answer: readonly Leaf[];
  readonly row: readonly Leaf[];
  readonly otherRows: readonly (readonly Leaf[])[];
  /** Those of all rows without the run's words. */
  readonly strangers: ReadonlySet<string>;
  readonly body: readonly Leaf[];
  readonly exemplar: readonly Leaf[];
}

function documentsOf(sources: Sources): Documents {
  const { collection, runTag, record, listed, exemplar } = sources;
  const noun = nounOf(collection);
  const strangers = listed.others.filter((row) => !mentions(row, runTag));
  return {
    answer: leavesOf(payloadOf(sources), noun),
    row: leavesOf(listed.row, noun),
    otherRows: listed.others.map((row) => leavesOf(row, noun)),
    strangers: new Set(walk(strangers).flatMap(({ value }) => (isScalar(value) ? [String(value)] : []))),
    body: leavesOf(record?.body, noun),
    exemplar: exemplar?.answer.unredacted(({ payload }) => leavesOf(payload, nounOf(exemplar.collection))) ?? [],
  };
}

/** The facts about an id. */
function candidateOf(id: string, standing: Standing, documents: Documents, sources: Sources): Candidate {
  const { record, reads, exemplar } = sources;
  const holding = (leaves: readonly Leaf[]): readonly Leaf[] => leaves.filter(({ text }) => holdsId(text, id));
  const [inAnswer, inRow] = [holding(documents.answer), holding(documents.row)];
  const own = inRow.length > 0 ? inRow : inAnswer;
  return {
    id,
    standing,
    isInAnswer: inAnswer.length > 0 || (record !== null && idsInAnswer(record).some((one) => one.id === id)),
    isInRow: inRow.length > 0,
    isGiven: isGiven(own, documents.body, standing),
    isShared: documents.otherRows.some((row) => areInSamePlaces(own, holding(row))),
    isStrangers: documents.strangers.has(id),
    isSecret: own.some(({ place }) => /secret|sign|token/.test(place)),
    read: reads.get(id) ?? null,
    exemplarHas: exemplarHas(documents.exemplar, inAnswer.length > 0 ? inAnswer : inRow, exemplar?.id),
  };
}

const areInSamePlaces = (own: readonly Leaf[], others: readonly Leaf[]): boolean =>
  own.length > 0 && own.every(({ place }) => others.some((other) => other.place === place));

/**
 * Whether the body of the create gave a value wherever the record has it, in fields of the same names. A single field that is not called the
 * record's id may have another name in the body.
 */
function isGiven(own: readonly Leaf[], body: readonly Leaf[], standing: Standing): boolean {
  const given = body.filter(({ text }) => own.some((one) => one.text === text));
  const isCalledId = standing === 'located' || standing === 'alone' || standing === 'named';
  const isRenamed = own.length === 1 && given.length > 0 && !isCalledId;
  return isRenamed || (own.length > 0 && own.every(({ name }) => given.some((one) => one.name === name)));
}

function exemplarHas(
  exemplar: readonly Leaf[],
  own: readonly Leaf[],
  exemplarId: string | undefined,
): Candidate['exemplarHas'] {
  const there = own.map(({ place }) => exemplar.filter((one) => one.place === place));
  if (exemplarId !== undefined && there.flat().some(({ text }) => holdsId(text, exemplarId))) {
    return 'id';
  }
  return there.length > 0 && there.every(({ length }) => length > 0) ? 'other' : null;
}
