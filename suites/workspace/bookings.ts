import { createTally, type Outcome } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { resultOrNull } from '../engine/parts.ts';
import { isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { shownState, standingOf } from './support/deletions/booking-state.ts';
import { bookingCancelled } from './support/deletions/deletions.ts';
import { judgeListedAgain } from './support/deletions/shown-again.ts';
import { cancelledBeside } from './support/deletions/taken-others.ts';
import { withPathId } from './support/deletions/targets.ts';
import { arrivals } from './support/events/arrivals.ts';
import { looksAtDeliveries } from './support/events/listeners.ts';
import { brings } from './support/events/payload.ts';
import { listing } from './support/kinds.ts';
import type { Created } from './support/records/create.ts';
import { judgeListed } from './support/records/judged-lists.ts';
import { judgeCreated, judgeDeletion } from './support/records/judged-records.ts';
import { firstRecord } from './support/records/records.ts';

/** Bookings: list, create, cancel. */
export const bookings: Checks = {
  'workspace.bookings.list': (session) => judgeListed(session, 'bookings', () => firstRecord(session, 'bookings')),
  'workspace.bookings.create': async (session) =>
    judgeCreated(await withPathId(session, 'bookings', await firstRecord(session, 'bookings'))),
  'workspace.bookings.cancel': judgeCancelled,
};

/**
 * Cancelling succeeds; where the list still shows the booking, its state is another one than before or, where it shows none, a delivery
 * says so; and the list shows another booking as it was.
 */
async function judgeCancelled(session: Session): Promise<Outcome> {
  const cancellation = await bookingCancelled(session);
  const { cancelled: record, answer, before, search } = cancellation;
  const tally = createTally();
  judgeDeletion(tally, { record, row: before, answer }, 'Booking is not cancelled');
  if (!isSuccess(answer)) {
    return tally.outcome();
  }
  const standing = standingOf(before, search.row);
  const state = shownState(before) ?? 'as before';
  tally.judge(
    await cancelledBeside(session, cancellation),
    standing !== 'scheduled'
      ? null
      : findingOn(search.last, {
          message: `Cancelled booking is still ${state}: ${record.id} in ${listing('bookings')}, after its cancellation got ${answer.status}`,
          expected: 'cancelled, or not listed',
          actual: state,
          place: 'body',
        }),
  );
  const outcome = tally.outcome();
  if (standing === 'unknown' && outcome.failures.length === 0 && !(await isAnnounced(session, record))) {
    throw new Inconclusive(
      findingOn(search.last, {
        message: `Whether ${record.id} is cancelled is unknown: ${listing('bookings')} shows it as before, and no delivery says so`,
      }),
    );
  }
  await judgeListedAgain(tally, session, record, answer, (row) => standingOf(before, row) === 'scheduled');
  return tally.outcome();
}

/** Whether a delivery says that the booking is cancelled. */
async function isAnnounced(session: Session, booking: Created): Promise<boolean> {
  const reached = looksAtDeliveries(session) ? await resultOrNull(arrivals(session)) : null;
  return (
    reached?.some(({ deliveries }) => deliveries.some((one) => brings(one, 'booking.cancelled', booking))) === true
  );
}
