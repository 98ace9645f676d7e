import { at, isScalar, placeOfId } from '../../../common/json.ts';
import { recordIn } from '../../session/reading/record.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { nounOf } from '../collections.ts';
import { idsInAnswer } from './answer-ids.ts';
import { type Finding, investigate } from './investigate.ts';
import { decide } from './rules.ts';
import { type NewRecord, sourcesOf } from './sources.ts';
import { mayBeUsed } from './vetoes.ts';
import { weigh } from './weigh.ts';

/** The ids of a record that the run has just created. */
export interface OwnIds {
  /** undefined: nothing proves one. */
  readonly id: string | undefined;
  /** Its further ids, where no read shows which of them paths take. */
  readonly otherIds: readonly string[];
}

/**
 * Finds out the ids of a record that the run has just created; from then on calls may change and delete the record under these ids. The
 * first record of a kind is investigated; the answer to its create shows where the ids of the other records of the kind stand.
 */
export async function identify(session: Session, record: NewRecord): Promise<OwnIds> {
  const lesson = await lessonOf(session, record);
  const finding =
    lesson.record === record
      ? lesson.finding
      : (taught(session, record, lesson) ?? (await investigateNew(session, record)));
  const [id, ...otherIds] = finding.ids.filter((one) => finding.isRead || mayBeUsed(session, record, one));
  for (const one of [id ?? [], otherIds].flat()) {
    session.writeGuard.allow(record.collection, one);
  }
  return { id, otherIds };
}

const investigateNew = (session: Session, record: NewRecord): Promise<Finding> =>
  investigate(session, sourcesOf(session, { ...record, record }), record.maker);

/** What the first record of a kind has taught. */
interface Lesson {
  readonly record: NewRecord;
  readonly finding: Finding;
  /** Where the answer to its create shows its id: a JSON pointer, or `Location`. undefined: nowhere. */
  readonly place: string | undefined;
}

const lessonOf = stepFor(
  ({ collection }: NewRecord) => collection,
  async (session, record): Promise<Lesson> => {
    const finding = await investigateNew(session, record);
    const [id] = finding.ids;
    const shown = idsInAnswer(record).find((one) => one.id === id);
    const place = shown?.place ?? record.answer.unredacted(({ payload }) => placeOfId(payload, id));
    return { record, finding, place };
  },
);

/** The id that the answer shows where the first record of the kind had its own; undefined: it shows none, or that decides nothing. */
function taught(session: Session, record: NewRecord, { record: first, finding, place }: Lesson): Finding | undefined {
  const [known] = finding.ids;
  const id = known === undefined || place === undefined ? undefined : idAt(place, record, known.includes('/'));
  const sources = sourcesOf(session, { ...record, record });
  if (id === undefined || sources.reading !== 'none') {
    return id === undefined ? undefined : { ids: [id], exemplar: null, isRead: false };
  }
  // No read has confirmed the place: an id that clashed with nothing when it was the first record's may clash now.
  const row = first.answer.unredacted(({ payload }) => recordIn(payload, nounOf(first.collection)));
  const listed = { row: undefined, others: row === undefined ? [] : [row], isWhole: false };
  const evidence = weigh({ ...sources, listed, exemplar: finding.exemplar, open: new Set() });
  const decision = decide({ ...evidence, isAnswerClear: true });
  return 'ids' in decision && decision.ids[0] === id ? { ...finding, ids: decision.ids, isRead: false } : undefined;
}

/** The id at a place in the answer. `isPath`: ids of the kind are paths; otherwise a path ends with the id. */
function idAt(place: string, record: NewRecord, isPath: boolean): string | undefined {
  const shown = idsInAnswer(record).find((one) => one.place === place && one.id.includes('/') === isPath);
  const value = record.answer.unredacted(({ payload }) => at(payload, place));
  return shown?.id ?? (place !== 'Location' && isScalar(value) ? String(value) : undefined);
}
