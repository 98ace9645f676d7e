import type { Exchange } from '../../../results/exchange.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn } from '../../engine/expect.ts';
import { resultOrNull, toldOrNull } from '../../engine/parts.ts';
import { locatedId } from '../../records/candidates.ts';
import { nounOf } from '../../records/collections.ts';
import { begunAfterAll } from '../../records/list-reading.ts';
import { isShownGone } from '../../records/shown-gone.ts';
import { takenBetween } from '../../records/taken.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { type Deletable, deleting, type Kind, pathOf } from '../kinds.ts';
import { showsCancelled } from './booking-state.ts';
import { type Deletion, recordStory, wholeList } from './story.ts';

/** How a deletion of a kind is judged. */
interface DeletionRules {
  /** What was not done where it is refused: `Agent was not deleted`. */
  readonly what: string;
  /** Judges what reads and lists show of the record right after an accepted one. */
  readonly after: (tally: Tally) => Promise<void> | void;
}

/** A deletion succeeds, and takes no other record. Waits until the run is quiet where it may have taken one of others. */
export async function judgeDeletion(
  session: Session,
  deletion: Deletion,
  { what, after }: DeletionRules,
): Promise<Outcome> {
  const { record, answer, other, otherSearch } = deletion;
  const tally = createTally();
  const actual = describeAnswer(answer);
  const finding = findingOn(answer, { message: `${what}: ${actual}`, expected: '200 or 201', actual });
  if (isSuccess(answer)) {
    tally.judge(null);
    await after(tally);
    if (deletion.isOtherLost) {
      judgeTaken(tally, otherSearch.last, { deletion, taken: other.id });
    }
    await judgeOthersKept(session, tally, deletion);
  } else if ([400, 404].includes(answer.status) && ![locatedId(record), ...record.aliases].includes(record.id)) {
    tally.leaveOpen({ ...finding, cause: `No field is clearly its id: ${record.id} may be something else` });
  } else {
    tally.judge(finding);
  }
  return tally.outcome();
}

/** Whether an accepted deletion deletes others of the kind, too: a missing record then proves nothing. */
export async function deletesOthersToo(session: Session, kind: Kind): Promise<boolean> {
  const story = kind === 'agents' || kind === 'bookings' ? await resultOrNull(recordStory(session, kind)) : null;
  const deletion = story && toldOrNull(story.deletion);
  const taken = deletion ? takenBetween(session, listOf(kind), deletion.rows.before, deletion.rows.after).own : [];
  return deletion?.isOtherLost === true || taken.includes(story?.newest?.id ?? '');
}

/** A list, and whether a row of it says that its record is gone. */
const listOf = (kind: Kind) => ({
  collection: pathOf(kind),
  isGone: kind === 'bookings' ? showsCancelled : isShownGone,
});

/** A record of the run that a deletion took along, as `shown` shows. */
function judgeTaken(
  tally: Tally,
  shown: Answer,
  { deletion: { record }, taken }: { readonly deletion: Deletion; readonly taken: string },
): void {
  const noun = nounOf(record.kind);
  const end = noun === 'booking' ? 'cancelled' : 'removed';
  tally.judge(
    findingOn(shown, {
      message: `Deleting ${noun} ${record.id} also ${end} ${noun} ${taken}`,
      expected: `only ${record.id} ${end}`,
      actual: `${taken} ${end} as well`,
      place: 'body',
    }),
  );
}

/** How many later deletions have to take others: one may be chance. */
const fewestRepeated = 2;

/**
 * A deletion takes no other record, as far as lists show that can be read whole. Of records that the run did not make,
 * somebody else may have deleted one at the same moment: only if each of several later deletions of the run took as
 * many, it is the deployment that takes them. Otherwise throws Inconclusive, unless something else has failed.
 */
async function judgeOthersKept(session: Session, tally: Tally, deletion: Deletion): Promise<void> {
  const { record, search, rows } = deletion;
  const kind = record.kind as Deletable;
  const { own, foreign } = takenBetween(session, listOf(kind), rows.before, rows.after);
  if (own.length + foreign.length > 0) {
    // By then the deletions that were under way are known.
    await session.until('quiet');
  }
  const isDeleted = session.records.deletedIn(pathOf(kind));
  for (const id of own.filter((one) => one !== deletion.other.id && !isDeleted(one))) {
    judgeTaken(tally, search.first, { deletion, taken: id });
  }
  if (foreign.length === 0) {
    return;
  }
  const isDeletion = ({ endpoint, response, number }: Exchange): boolean =>
    endpoint === deleting(kind) && response !== null && isSuccess(response) && number > search.last.exchange.number;
  const deletions = session.evidence.exchanges.filter(isDeletion).length;
  const last = await wholeList(session, kind, begunAfterAll(session, isDeletion));
  const later = takenBetween(session, listOf(kind), rows.after, last).foreign;
  const noun = nounOf(kind);
  const what = `${foreign[0]}, which this run did not create, disappeared when ${record.id} was deleted`;
  if (deletions >= fewestRepeated && later.length === deletions * foreign.length) {
    tally.judge(
      findingOn(search.first, {
        message: `Deleting one ${noun} removes others: ${what}, and later deletions of the run removed ${later.length} more`,
        expected: `only the deleted ${noun} removed`,
        actual: [...foreign, ...later].join(', '),
        place: 'body',
      }),
    );
  } else if (tally.outcome().failures.length === 0) {
    const message = `Cannot tell whether deleting one ${noun} removes others: ${what}; somebody else may have deleted it at that moment`;
    throw new Inconclusive(findingOn(search.first, { message }));
  }
}
