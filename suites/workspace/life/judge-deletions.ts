import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { resultOrNull, toldOrNull } from '../../engine/check.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import { locatedId } from '../../records/candidates.ts';
import { nounOf } from '../../records/collections.ts';
import { isShownGone } from '../../records/shown-gone.ts';
import { firstRows, takenBetween } from '../../records/taken.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { type Kind, pathOf } from '../kinds.ts';
import { showsCancelled } from './booking-state.ts';
import { type Deletion, recordStory } from './story.ts';

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
    await judgeOwnKept(session, tally, deletion);
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
  return (
    deletion?.isOtherLost === true || (deletion ? ownTaken(session, deletion) : []).includes(story?.newest?.id ?? '')
  );
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

/** The records of the run that a deletion took along, as far as the first pages of the list show. */
const ownTaken = (session: Session, { record, rows }: Deletion, after = rows.after): readonly string[] =>
  takenBetween(session, listOf(record.kind), rows.before, after).own;

/** A deletion takes no other record of the run. */
async function judgeOwnKept(session: Session, tally: Tally, deletion: Deletion): Promise<void> {
  const { record, search, other } = deletion;
  if (ownTaken(session, deletion).length === 0) {
    return;
  }
  // By then the deletions that were under way are known, and a replica that was behind has caught up.
  await session.until('quiet');
  const isDeleted = session.records.deletedIn(pathOf(record.kind));
  const isLost = (id: string): boolean => id !== other.id && !isDeleted(id);
  if (ownTaken(session, deletion).some(isLost)) {
    const later = await firstRows(session, pathOf(record.kind), {});
    for (const id of ownTaken(session, deletion, later).filter(isLost)) {
      judgeTaken(tally, search.first, { deletion, taken: id });
    }
  }
}
