import { type JsonObject, walk } from '../../common/json.ts';
import { createTally, type Outcome } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { isSuccess } from '../session/answer.ts';
import { recordIn } from '../session/record.ts';
import type { Session } from '../session/session.ts';
import { lookFor, readUntil } from '../shared/sighting.ts';
import { bookingCancelled, bookingListed } from './support/deletions.ts';
import { judgeCreated, notRemoved } from './support/judged-records.ts';
import { listing, pathOf } from './support/kinds.ts';
import { mainRecord } from './support/records.ts';

/** Bookings: list, create, cancel. */
export const bookings: Checks = {
  'workspace.bookings.list': bookingListed,
  'workspace.bookings.create': async (session) => judgeCreated(await mainRecord(session, 'bookings')),
  'workspace.bookings.cancel': judgeCancelled,
};

/** Cancelling succeeds; and where the list still shows the booking with a state, it is another one than before. */
async function judgeCancelled(session: Session): Promise<Outcome> {
  const { record, answer } = await bookingCancelled(session);
  const tally = createTally();
  tally.judge(notRemoved(answer, 'Booking is not cancelled'));
  const before = stateOf(recordIn(record.answer.json, 'booking'));
  if (!isSuccess(answer) || before === undefined) {
    return tally.outcome();
  }
  const isUnchanged = (row: JsonObject | undefined): boolean => stateOf(row) === before && !tellsCancelled(row);
  const { row, last } = await readUntil(
    session,
    () => lookFor(session, pathOf('bookings'), record),
    (sighting) => !isUnchanged(sighting.row),
  );
  tally.judge(
    isUnchanged(row)
      ? findingOn(last, {
          message: `Cancelled booking is still ${String(before)}: ${record.id} in ${listing('bookings')}, after its cancellation got ${answer.status}`,
          expected: 'cancelled, or not listed',
          actual: String(before),
          place: 'body',
        })
      : null,
  );
  return tally.outcome();
}

/** The state that a booking shows, if it shows one: what stands deeper is the state of something else, a place or a person. */
export const stateOf = (booking: JsonObject = {}): unknown =>
  Object.entries(booking).find(
    ([name, value]) => /^(booking_?)?(status|state)$/i.test(name) && typeof value === 'string',
  )?.[1];

/** Whether a booking tells anywhere that it is cancelled: by a state, or by a time or reason of its cancellation. */
export const tellsCancelled = (booking: JsonObject | undefined): boolean =>
  walk(booking).some(
    ({ name, value }) => /cancel/i.test(String(value)) || (/cancel/i.test(name) && value !== null && value !== false),
  );
