import type { Answer } from '../kit/call.ts';
import type { Checks } from '../kit/engine.ts';
import { judged } from '../kit/outcome.ts';
import { settled } from '../kit/partly.ts';
import { made, main, remove, type Made } from './records.ts';
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

/** Bookings: list, create, cancel. */
export const bookings: Checks<WorkspaceSession> = {
  'workspace.bookings.list': listed,
  'workspace.bookings.create': async (session) => judgeCreated(await main(session, 'bookings')),
  'workspace.bookings.cancel': async (session) => judged(notRemoved((await cancelledBooking(session)).answer, 'Booking is not cancelled')),
};
