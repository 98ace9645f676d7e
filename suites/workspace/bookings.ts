import { createTally, type Outcome } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { isStillScheduled, stateAtFirst } from './support/booking-state.ts';
import { bookingCancelled } from './support/deletions.ts';
import { judgeListed } from './support/judged-lists.ts';
import { judgeCreated, notRemoved } from './support/judged-records.ts';
import { listing } from './support/kinds.ts';
import { firstRecord } from './support/records.ts';
import { cancelledBeside } from './support/taken-others.ts';

/** Bookings: list, create, cancel. */
export const bookings: Checks = {
  'workspace.bookings.list': (session) => judgeListed(session, 'bookings', () => firstRecord(session, 'bookings')),
  'workspace.bookings.create': async (session) => judgeCreated(await firstRecord(session, 'bookings')),
  'workspace.bookings.cancel': judgeCancelled,
};

/**
 * Cancelling succeeds; where the list still shows the booking with a state, it is another one than before; and the list
 * shows another booking as it was.
 */
async function judgeCancelled(session: Session): Promise<Outcome> {
  const cancellation = await bookingCancelled(session);
  const { cancelled: record, answer, search } = cancellation;
  const tally = createTally();
  tally.judge(notRemoved(answer, 'Booking is not cancelled'));
  if (!isSuccess(answer)) {
    return tally.outcome();
  }
  const before = stateAtFirst(record);
  if (before !== undefined) {
    tally.judge(
      isStillScheduled(record, search.row)
        ? findingOn(search.last, {
            message: `Cancelled booking is still ${String(before)}: ${record.id} in ${listing('bookings')}, after its cancellation got ${answer.status}`,
            expected: 'cancelled, or not listed',
            actual: String(before),
            place: 'body',
          })
        : null,
    );
  }
  tally.judge(await cancelledBeside(session, cancellation));
  return tally.outcome();
}
