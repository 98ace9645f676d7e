import { endpointOf, isEndpoint } from '../../../contract/endpoints.ts';
import type { Tally } from '../../../results/outcome.ts';
import { atMoment, type Check, judgeEach } from '../../engine/check.ts';
import { describeAnswer, expectStatus, findingOn, judgeThat, undecided } from '../../engine/expect.ts';
import { mentions } from '../../reading/own-words.ts';
import { isUnguessable } from '../../reading/unguessable.ts';
import { adviceOnId, locatedId } from '../../records/candidates.ts';
import { judgeNotListed } from '../../records/listed-records.ts';
import { nounOf } from '../../records/lists.ts';
import { timeToSettle } from '../../records/own.ts';
import { isOnlyInactive } from '../../records/shown-gone.ts';
import { judgeTaken } from '../../records/taken.ts';
import { type Answer, isSuccess } from '../../session/call.ts';
import type { Session } from '../../session/session.ts';
import { storyOf } from '../events/webhook-story.ts';
import { type Deletable, listing, reading } from '../kinds.ts';
import { isStillBooked } from './booking-state.ts';
import { type Deletion, detailView } from './record-story.ts';

/** How often a deleted record is read again: one of a few instances may have it in a cache of its own. */
const laterReads = 2;

/** A check: DELETE succeeds; that record and no other is then gone or, if it is a booking, cancelled, and stays so. */
export const judgeDeletes = (kind: Deletable): Check =>
  atMoment('badKeys', async (session, tally) => {
    const deletion = (await storyOf(session, kind)).deletion();
    const { record, answer, before, later, search, isGone } = deletion;
    if (!judgeDeletion(tally, deletion)) {
      return;
    }
    if (later !== null) {
      await judgeNotFound(session, tally, deletion, later);
    } else if (!before.isShown) {
      const message = `Cannot tell whether a deleted ${nounOf(kind)} is gone: ${listing(kind)} did not show it before`;
      tally.leaveOpen(findingOn(search.first, { message, blames: endpointOf(listing(kind)).clause }));
    }
    if (kind === 'bookings') {
      judgeCancelled(tally, deletion);
    } else {
      judgeNotListed(tally, search, record, before);
    }
    if (kind === 'webhooks' && search.row !== undefined && isOnlyInactive(search.row, before.row)) {
      const message = `The removed webhook is only deactivated: ${record.id} is listed as inactive`;
      tally.judge(findingOn(search.last, { message, expected: 'removed', actual: 'deactivated', place: 'body' }));
    }
    if (later !== null && isGone) {
      // Once KEY_SETTLE_MS has passed, and most of a run is over, no read shows it again.
      await session.until('badKeys');
      await session.clock.sleep(timeToSettle(session, answer));
      const looks = Array.from({ length: laterReads }, deletion.readAgain);
      await judgeEach(tally, looks, async (look) => judgeNotFound(session, tally, deletion, await look));
    }
  });

/** Judges that a deletion succeeds, and takes no other record along; gives whether it succeeded. */
function judgeDeletion(tally: Tally, { record, answer, taken }: Deletion): boolean {
  const { id, collection, aliases } = record;
  const isRead = isEndpoint(`GET ${collection}/:id`);
  const isClear = locatedId(record) === id || (aliases.includes(id) && (aliases.length === 1 || isRead));
  const finding = expectStatus(answer, [200, 201], `Deleting a record of ${collection}`);
  if (isSuccess(answer)) {
    judgeTaken(tally, record, answer, taken);
  } else if (finding !== null && [400, 404].includes(answer.status) && !isClear) {
    const cause = `No field is clearly its id: ${id} may be something else`;
    tally.leaveOpen({ ...finding, cause, advice: adviceOnId(collection, record.answer) });
  } else {
    tally.judge(finding);
  }
  return isSuccess(answer);
}

/** Reading a deleted record gets 404. Left open where other reads fail, or the id may now belong to another record. */
async function judgeNotFound(session: Session, tally: Tally, { record }: Deletion, later: Answer): Promise<void> {
  const { answer: twin } = await detailView(session, 'agents');
  const isReused = isSuccess(later) && !isUnguessable(record.id) && !mentions(later.json, record.tag);
  if (!isReused && (isSuccess(twin) || isSuccess(later))) {
    tally.judge(expectStatus(later, 404, 'Reading a deleted agent'));
  } else {
    const message = `Cannot tell whether a deleted agent is gone: reading it got ${describeAnswer(later)}, and an existing one ${describeAnswer(twin)}`;
    tally.leaveOpen(findingOn(later, { message, blames: endpointOf(reading('agents')).clause }));
  }
}

/** The list shows a cancelled booking as cancelled, or no more. Throws Inconclusive where its row does not tell. */
function judgeCancelled(tally: Tally, { record, answer, search, state }: Deletion): void {
  if (state === 'unknown') {
    const open = `Cannot tell whether ${record.id} is cancelled: ${listing('bookings')} shows it without a state`;
    throw undecided(search.last, open);
  }
  judgeThat(tally, !isStillBooked(state), search.last, {
    message: `Booking ${record.id} is ${state} in ${listing('bookings')} after its cancellation got ${answer.status}`,
    expected: 'cancelled, or not listed',
    actual: state,
    place: 'body',
  });
}
