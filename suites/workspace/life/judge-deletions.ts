import { type JsonObject, walk } from '../../../common/json.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn } from '../../engine/expect.ts';
import { resultOrNull, toldOrNull } from '../../engine/parts.ts';
import { showsId } from '../../reading/id-fields.ts';
import { mentions } from '../../reading/own-words.ts';
import { idsOf } from '../../reading/shown-ids.ts';
import { locatedId } from '../../records/candidates.ts';
import { nounOf } from '../../records/collections.ts';
import { begunAfterAll } from '../../records/list-reading.ts';
import { isShownGone } from '../../records/shown-gone.ts';
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
  return (story && toldOrNull(story.deletion))?.isOtherLost === true;
}

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
  const { own, foreign } = takenBetween(session, kind, rows.before, rows.after);
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
  const later = takenBetween(session, kind, rows.after, last).foreign;
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

type Rows = readonly JsonObject[] | null;

/**
 * The ids of records that a later reading of a list shows as gone, or no longer shows: those of the run, and those of
 * others. None where one of the readings is not whole.
 */
function takenBetween(session: Session, kind: Kind, before: Rows, after: Rows): Record<'own' | 'foreign', string[]> {
  const noun = nounOf(kind);
  const isGone = kind === 'bookings' ? showsCancelled : (row: JsonObject): boolean => isShownGone(row);
  const byId = (rows: Rows): Map<string, JsonObject> =>
    new Map(
      (rows ?? []).flatMap((row) =>
        idsOf(row, noun)
          .slice(0, 1)
          .map((id): [string, JsonObject] => [id, row]),
      ),
    );
  const now = byId(after);
  const gone = [...(after === null ? [] : byId(before))].filter(([id, row]) => {
    const later = now.get(id);
    return !isGone(row) && (later === undefined || isGone(later));
  });
  const made = session.ledger.all().filter(({ collection }) => collection === pathOf(kind));
  // A counted id may stand in rows of others: there the words decide.
  const ownId = (row: JsonObject): string | undefined =>
    made.find(({ id, tag }) => id !== undefined && idsOf(row, noun).includes(id) && mentions(row, tag))?.id;
  // A run of the suite deletes its records itself: they have its word.
  const isOfAnyRun = (row: JsonObject): boolean =>
    walk(row).some(({ value }) => typeof value === 'string' && /\bconformance\b/i.test(value)) ||
    made.some(({ id, answeredIds = [] }) => [id ?? [], answeredIds].flat().some((one) => showsId(row, one)));
  return {
    own: gone.flatMap(([, row]) => ownId(row) ?? []),
    foreign: gone.flatMap(([id, row]) => (isOfAnyRun(row) ? [] : [id])),
  };
}
