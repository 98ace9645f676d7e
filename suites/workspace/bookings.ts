import { Inconclusive, type Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { rowsIn } from '../reading/rows.ts';
import type { Session } from '../session/session.ts';
import { listing } from './kinds.ts';
import { isStillBooked, stateAfterCancellation } from './stories/booking-state.ts';
import { judgeCreates, judgeDeletion, judgeListed, judgeStaysGone } from './stories/judge-records.ts';
import { type Deletion, recordStory } from './stories/record-story.ts';

/** Bookings: list, create, cancel. */
export const bookings: Checks = {
  'workspace.bookings.list': judgeListed('bookings'),
  'workspace.bookings.create': judgeCreates('bookings'),
  'workspace.bookings.cancel': atMoment('badKeys', judgeCancelled),
};

/** DELETE succeeds; that booking is then cancelled or gone, as the list says, and no other is. */
async function judgeCancelled(session: Session, tally: Tally): Promise<void> {
  const deletion = (await recordStory(session, 'bookings')).deletion();
  const { record, search } = deletion;
  const before = deletion.before.row;
  if (judgeDeletion(tally, deletion, 'Booking was not cancelled')) {
    const rows = rowsIn(search.last.json, 'booking');
    const state = stateAfterCancellation(before, search.row, rows);
    tally.judge(isStillBooked(before, search.row, rows) ? notCancelled(deletion, state) : null);
    if (state === 'unknown') {
      const message = `Cannot tell whether ${record.id} is cancelled: ${listing('bookings')} shows it unchanged`;
      throw new Inconclusive(findingOn(search.last, { message }));
    }
    await judgeStaysGone(session, tally, deletion);
  }
}

const notCancelled = ({ record, answer, search }: Deletion, state: string): Finding =>
  findingOn(search.last, {
    message: `Booking ${record.id} is ${state} in ${listing('bookings')} after its cancellation got ${answer.status}`,
    expected: 'cancelled, or not listed',
    actual: state,
    place: 'body',
  });
