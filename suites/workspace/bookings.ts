import { type JsonObject, walk } from '../../common/json.ts';
import { createTally, type Outcome } from '../../results/outcome.ts';
import type { Checks } from '../engine/engine.ts';
import { findingOn } from '../engine/expect.ts';
import { settled } from '../engine/partly.ts';
import type { Answer } from '../session/call.ts';
import { listing } from './endpoints.ts';
import { recordIn } from './identity.ts';
import { lookFor, untilShown } from './lists.ts';
import { type Made, made, main, remove, succeeded } from './records.ts';
import { judgeCreated, judgeListed, notRemoved } from './records-judged.ts';
import type { WorkspaceSession } from './session.ts';

/** The main booking, listed while it is scheduled. */
const listed = (session: WorkspaceSession): ReturnType<typeof judgeListed> =>
  session.once('main booking listed', () => judgeListed(session, 'bookings', () => main(session, 'bookings')));

/** Cancels the main booking, once a run. Throws Inconclusive where there is none. */
export const cancelledBooking = (session: WorkspaceSession): Promise<{ record: Made; answer: Answer }> =>
  session.once('main booking cancelled', async () => {
    const record = made(await main(session, 'bookings'));
    // A list may leave cancelled bookings out.
    await settled(listed(session));
    return { record, answer: await remove(session, record) };
  });

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

/** Cancelling succeeds; and where the list still shows the booking with a state, it is another one than before. */
async function judgeCancelled(session: WorkspaceSession): Promise<Outcome> {
  const { record, answer } = await cancelledBooking(session);
  const tally = createTally();
  tally.judge(notRemoved(answer, 'Booking is not cancelled'));
  const before = stateOf(recordIn(record.answer.json, 'bookings'));
  if (!succeeded(answer) || before === undefined) {
    return tally.outcome();
  }
  const stands = (row: JsonObject | undefined): boolean => stateOf(row) === before && !tellsCancelled(row);
  const { found, answers } = await untilShown(
    session,
    () => lookFor(session, 'bookings', record),
    (one) => !stands(one.found),
  );
  tally.judge(
    !stands(found)
      ? null
      : findingOn(answers.at(-1) ?? answers[0], {
          message: `Cancelled booking is still ${String(before)}: ${record.id} in ${listing('bookings').id}, after its cancellation got ${answer.status}`,
          expected: 'cancelled, or not listed',
          actual: String(before),
          place: 'body',
        }),
  );
  return tally.outcome();
}

/** Bookings: list, create, cancel. */
export const bookings: Checks<WorkspaceSession> = {
  'workspace.bookings.list': listed,
  'workspace.bookings.create': async (session) => judgeCreated(await main(session, 'bookings')),
  'workspace.bookings.cancel': judgeCancelled,
};
