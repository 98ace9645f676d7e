import { recordIn } from '../../reading/record.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { nounOf } from '../collections.ts';
import { idAtPlace, placeInAnswer, type TaughtPlace } from './answer-ids.ts';
import type { Step } from './evidence.ts';
import { investigate } from './investigate.ts';
import type { NewRecord } from './new-record.ts';
import { decide } from './rules.ts';
import { type Sources, sourcesOf } from './sources.ts';
import { weigh } from './weigh.ts';

/** The ids of a record that the run has just created. */
export interface OwnIds {
  /** undefined: nothing proves one. */
  readonly id: string | undefined;
  /** Its further ids, where no read shows which of them paths take. */
  readonly otherIds: readonly string[];
}

/**
 * Finds out the ids of a record that the run has just created; from then on calls may change and delete the record
 * under these ids. The first record of a kind is investigated; the answer to its create shows where the ids of the
 * other records of the kind stand.
 */
export async function identify(session: Session, record: NewRecord): Promise<OwnIds> {
  const lesson = await lessonOf(session, record);
  const sources = sourcesOf(session, { ...record, record, isNew: true });
  const ids =
    lesson.record === record
      ? lesson.ids
      : (taught(sources, lesson, record) ?? (await investigate(session, sources, record.maker)));
  const [id, ...otherIds] = ids.filter((one) => session.writeGuard.allow(record.collection, one));
  return { id, otherIds };
}

/** What the first record of a kind has taught. */
interface Lesson extends TaughtPlace {
  readonly record: NewRecord;
  readonly ids: readonly string[];
}

const lessonOf = stepFor(
  ({ collection }: NewRecord) => collection,
  async (session, record): Promise<Lesson> => {
    const ids = await investigate(session, sourcesOf(session, { ...record, record, isNew: true }), record.maker);
    const [id] = ids;
    return { record, ids, place: placeInAnswer(record, id), isPath: id?.includes('/') === true };
  },
);

/**
 * What the answer shows where the first record of the kind had its id. undefined: nothing, or the rules prefer another
 * id. Where no read has confirmed the place, an id that clashed with no other when it was the first record's may clash
 * now.
 */
function taught(sources: Sources, lesson: Lesson, record: NewRecord): readonly string[] | undefined {
  const id = idAtPlace(lesson, record);
  const { record: first } = lesson;
  const row = first.answer.unredacted(({ payload }) => recordIn(payload, nounOf(first.collection)));
  const listed = { row: undefined, others: row === undefined ? [] : [row], isWhole: false };
  const known = { ...sources, taught: id, listed, open: new Set<Step>() };
  const decision = decide(weigh(known));
  return id !== undefined && 'ids' in decision && decision.ids[0] === id ? decision.ids : undefined;
}
