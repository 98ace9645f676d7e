import type { JsonObject } from '../../common/json.ts';
import { createTally, type Outcome } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { resultOrNull } from '../engine/parts.ts';
import { rowsIn } from '../reading/rows.ts';
import { isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { arrivals } from './events/arrivals.ts';
import { announces } from './events/payload.ts';
import { needsDeliveries } from './events/subscribe.ts';
import { listing } from './kinds.ts';
import { shownState, stateAfterCancellation, stateInstead } from './life/booking-state.ts';
import { cancelledLike, otherCancelledBooking } from './life/collateral.ts';
import { judgeDeletion, judgeGone } from './life/judge-deletions.ts';
import { judgeCreates, judgeListed } from './life/judge-records.ts';
import { type Deletion, recordStory } from './life/story.ts';
import type { Created } from './records/creating.ts';
import { firstRecord } from './records/run-records.ts';

/** Bookings: list, create, cancel. */
export const bookings: Checks = {
  'workspace.bookings.list': (session) => judgeListed(session, 'bookings', recordStory(session, 'bookings')),
  'workspace.bookings.create': (session) =>
    judgeCreates(firstRecord(session, 'bookings'), recordStory(session, 'bookings')),
  'workspace.bookings.cancel': atMoment('quiet', judgeCancelled),
};

/** DELETE succeeds; that booking is then cancelled or gone, as the list or a delivery says, and no other is. */
async function judgeCancelled(session: Session): Promise<Outcome> {
  const deletion = (await recordStory(session, 'bookings')).deletion();
  const { record, answer, search } = deletion;
  const before = deletion.before.row;
  const tally = createTally();
  judgeDeletion(tally, deletion, 'Booking was not cancelled');
  if (!isSuccess(answer)) {
    return tally.outcome();
  }
  tally.judge(await otherCancelledBooking(session, deletion));
  const rows = rowsIn(search.last.json, 'booking') ?? [];
  const state = stateAfterCancellation(before, search.row, rows);
  const other = state === 'scheduled' ? (shownState(before) ?? 'as before') : stateInstead(before, search.row, rows);
  tally.judge(other === undefined ? null : notCancelled(deletion, other, state === 'scheduled'));
  if (state === 'unknown' && tally.outcome().failures.length === 0 && !(await isAnnounced(session, record))) {
    throw new Inconclusive(
      findingOn(search.last, {
        message: `Cannot tell whether ${record.id} is cancelled: ${listing('bookings')} shows it unchanged, and no delivery announces it`,
      }),
    );
  }
  await judgeGone(session, tally, deletion, {
    kind: 'bookings',
    isThere: (row: JsonObject) => stateAfterCancellation(before, row) === 'scheduled',
    isGone: cancelledLike(deletion),
  });
  return tally.outcome();
}

const notCancelled = ({ record, answer, search }: Deletion, state: string, isAsBefore: boolean): Finding =>
  findingOn(search.last, {
    message: `Booking ${record.id} is ${isAsBefore ? 'still ' : ''}${state} in ${listing('bookings')} after its cancellation got ${answer.status}`,
    expected: 'cancelled, or not listed',
    actual: state,
    place: 'body',
  });

/** Whether a delivery says that the booking is cancelled. */
async function isAnnounced(session: Session, booking: Created): Promise<boolean> {
  const webhooks = needsDeliveries(session) ? await resultOrNull(arrivals(session)) : null;
  const deliveries = (webhooks ?? []).flatMap((webhook) => webhook.deliveries);
  return deliveries.some((delivery) => announces(delivery, 'booking.cancelled', booking));
}
