import type { JsonObject } from '../../common/json.ts';
import { createTally, type Outcome } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { resultOrNull } from '../engine/parts.ts';
import { isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { shownState, stateAfterCancellation, stateInstead } from './support/deletions/booking-state.ts';
import { otherCancelledBooking } from './support/deletions/collateral-deletions.ts';
import { bookingCancellation, type Cancellation, cancelledRowTest, rowsOfPage } from './support/deletions/deletions.ts';
import { judgeGone } from './support/deletions/gone.ts';
import { arrivals } from './support/events/arrivals.ts';
import { needsDeliveries } from './support/events/listeners.ts';
import { announces } from './support/events/payload.ts';
import { listing } from './support/kinds.ts';
import type { Created } from './support/records/create.ts';
import { judgeListed } from './support/records/judge-lists.ts';
import { judgeCreated, judgeDeletion } from './support/records/judge-records.ts';
import { firstRecord } from './support/records/run-records.ts';

/** Bookings: list, create, cancel. */
export const bookings: Checks = {
  'workspace.bookings.list': (session) => judgeListed(session, 'bookings', () => firstRecord(session, 'bookings')),
  'workspace.bookings.create': async (session) => judgeCreated(await firstRecord(session, 'bookings')),
  'workspace.bookings.cancel': atMoment('quiet', judgeCancelled),
};

/** DELETE succeeds; that booking is then cancelled or gone, as the list or a delivery says, and no other is. */
async function judgeCancelled(session: Session): Promise<Outcome> {
  const cancellation = await bookingCancellation(session);
  const { cancelled: record, answer, listed, before, search } = cancellation;
  const tally = createTally();
  judgeDeletion(tally, { record, row: before, answer }, 'Booking was not cancelled');
  if (!isSuccess(answer)) {
    return tally.outcome();
  }
  tally.judge(await otherCancelledBooking(session, cancellation));
  const state = stateAfterCancellation(before, search.row, rowsOfPage(search));
  const instead = stateInstead(before, search.row, rowsOfPage(search));
  const other = instead === undefined ? null : otherState(cancellation, instead);
  tally.judge(state === 'scheduled' ? stillScheduled(cancellation) : other);
  if (state === 'unknown' && tally.outcome().failures.length === 0 && !(await isAnnounced(session, record))) {
    throw new Inconclusive(
      findingOn(search.last, {
        message: `Cannot tell whether ${record.id} is cancelled: ${listing('bookings')} shows it unchanged, and no delivery announces it`,
      }),
    );
  }
  const isScheduled = (row: JsonObject): boolean => stateAfterCancellation(before, row) === 'scheduled';
  await judgeGone(session, tally, {
    kind: 'bookings',
    record,
    answer,
    before: listed,
    after: search,
    isThere: isScheduled,
    isGone: await cancelledRowTest(session),
  });
  return tally.outcome();
}

function stillScheduled({ cancelled, answer, before, search }: Cancellation): Finding {
  const state = shownState(before) ?? 'as before';
  return findingOn(search.last, {
    message: `Booking ${cancelled.id} is still ${state} in ${listing('bookings')} after its cancellation got ${answer.status}`,
    expected: 'cancelled, or not listed',
    actual: state,
    place: 'body',
  });
}

const otherState = ({ cancelled, answer, search }: Cancellation, state: string): Finding =>
  findingOn(search.last, {
    message: `Booking ${cancelled.id} is ${state} in ${listing('bookings')} after its cancellation got ${answer.status}`,
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
