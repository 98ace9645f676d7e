import { recordIn } from '../../session/reading/record.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { nounOf } from '../collections.ts';
import { idAtPlace, placeInAnswer, type TaughtPlace } from './answer-ids.ts';
import { type Finding, investigate } from './investigate.ts';
import { decide } from './rules.ts';
import { type NewRecord, type Sources, sourcesOf } from './sources.ts';
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
interface Lesson extends TaughtPlace {
  readonly record: NewRecord;
  readonly finding: Finding;
}

const lessonOf = stepFor(
  ({ collection }: NewRecord) => collection,
  async (session, record): Promise<Lesson> => {
    const finding = await investigateNew(session, record);
    const [id] = finding.ids;
    return { record, finding, place: placeInAnswer(record, id), isPath: id?.includes('/') === true };
  },
);

/** Looks where the first record of the kind had its id. undefined: the answer shows none there, or it may be another record's. */
function taught(session: Session, record: NewRecord, lesson: Lesson): Finding | undefined {
  const id = idAtPlace(lesson, record);
  const sources = sourcesOf(session, { ...record, record });
  if (id === undefined) {
    return undefined;
  }
  // Without a read, nothing has confirmed the place: an id that clashed with no other when it was the first record's may clash now.
  const ids = sources.reading === 'none' ? idsByRules(sources, lesson) : [id];
  return ids[0] === id ? { ids, exemplar: null, isRead: false } : undefined;
}

/** What the rules give for the answer alone, beside the first record of the kind and its exemplar. */
function idsByRules(sources: Sources, { record: first, finding }: Lesson): readonly string[] {
  const row = first.answer.unredacted(({ payload }) => recordIn(payload, nounOf(first.collection)));
  const listed = { row: undefined, others: row === undefined ? [] : [row], isWhole: false };
  const evidence = weigh({ ...sources, listed, exemplar: finding.exemplar, open: new Set() });
  const decision = decide({ ...evidence, isAnswerClear: true });
  return 'ids' in decision ? decision.ids : [];
}
