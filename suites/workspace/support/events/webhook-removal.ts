import { endpointOf } from '../../../../contract/endpoints.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import type { Received } from '../../../../webhooks/inbox/inbox.ts';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { describeAnswer, undecided } from '../../../engine/expect.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { noteIneffective } from '../../../shared/clean-up/ineffective.ts';
import { findInListUntil, type ListSearch } from '../../../shared/lists/list-search.ts';
import { isStillListed, rowFromCreate } from '../../../shared/lists/listed-records.ts';
import { deleteById, deleteRecord } from '../../../shared/records.ts';
import { deleting } from '../kinds.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { listedTogether } from '../records/listed-together.ts';
import { recordFor } from '../records/records.ts';
import { apartMs, awaitDelivery, bookingAnnounced, cancellationAnnounced } from './caused-events.ts';
import { type Listener, listeners, looksAtDeliveries } from './listeners.ts';
import { isAbout, namedEvents } from './payload.ts';
import { firstWebhook, type Registration, registration, webhookNames } from './registrations.ts';

/** A webhook of the run's that was removed, and whether it is listed still. */
export interface Removal {
  readonly removed: Registration;
  readonly record: Created;
  readonly answer: Answer;
  /** The one of its ids under which it was removed. */
  readonly id: string;
  /** Its row before, or one like it. */
  readonly before: ReturnType<typeof rowFromCreate>;
  readonly search: ListSearch;
}

/** Removes the second webhook, or the only one, once the first events have been awaited; and looks at the list. */
export const webhookRemoved = step(async (session): Promise<Removal> => {
  if (looksAtDeliveries(session)) {
    await settle(bookingAnnounced(session), cancellationAnnounced(session));
  }
  const [first, second] = await Promise.all([firstWebhook(session), registration(session, webhookNames.second)]);
  const removed = isSuccess(second.attempt.answer) ? second : first;
  const record = assertCreated(removed.attempt);
  const together = await resultOrNull(listedTogether(session, 'webhooks'));
  const listed = removed === second ? together?.second?.search : together?.first;
  const before = listed?.row === undefined ? rowFromCreate(record) : { isShown: false, row: listed.row };
  const { answer, id } = await deleteById(session, record);
  const search = await findInListUntil(session, record, (found) => !isStillListed(found, before, record));
  if (isSuccess(answer) && isStillListed(search, before, record)) {
    await noteIneffective(session, record.collection);
  }
  return { removed, record, answer, id, before, search };
});

/** A booking made after a webhook was removed; the one that still listens answered its delivery with 500. */
export interface AfterRemoval {
  readonly booking: Created;
  /** What came to the webhook that still listens. */
  readonly control: Received | undefined;
  /** Deliveries to the removed webhook that tell of the booking. */
  readonly strays: readonly Received[];
  readonly removed: Registration;
  readonly listener: Listener;
  /** Epoch milliseconds at which the booking was about to be made. */
  readonly since: number;
}

/**
 * Makes a booking when one webhook is gone and the other fails once, and waits as long as events are awaited: for the
 * silence of the one and the second attempt at the other. Throws Inconclusive where the webhook could not be removed.
 */
export const bookingAfterRemoval = step(async (session): Promise<AfterRemoval> => {
  const [listener] = await listeners(session);
  const { answer, removed } = await webhookRemoved(session);
  if (!isSuccess(answer)) {
    const message = `Webhook cannot be removed: ${describeAnswer(answer)}`;
    throw undecided(answer, message, endpointOf(deleting('webhooks')).clause);
  }
  if (removed.name === listener.name) {
    throw new Inconclusive({
      message: 'The deployment takes one webhook: no other shows what a removed one is not sent',
    });
  }
  const { booking: earlier } = await bookingAnnounced(session);
  const since = session.clock.now();
  listener.mailbox.failOnce((delivery) => !isCancellation(delivery) && !isAbout(delivery, earlier));
  const booking = assertCreated(await recordFor(session, 'bookings', 'a removed webhook'));
  const control = await awaitDelivery(session, listener, { booking, kind: 'booking.created', since });
  await session.clock.sleep(since + session.settings.EVENT_WAIT_MS - session.clock.now());
  await settle(cancelInSilence(session, listener, booking));
  const strays = removed.mailbox?.deliveries.filter((delivery) => isAbout(delivery, booking)) ?? [];
  return { booking, control, listener, removed, since, strays };
});

const isCancellation = (delivery: Delivery): boolean =>
  namedEvents(delivery).some(({ kind }) => kind === 'booking.cancelled');

/** Cancels the booking, which the clean-up would do, and gives what tells of it the time to come wherever it comes. */
async function cancelInSilence(session: Session, listener: Listener, booking: Created): Promise<void> {
  const since = session.clock.now();
  const answer = await deleteRecord(session, booking);
  if (isSuccess(answer)) {
    await awaitDelivery(session, listener, { booking, kind: 'booking.cancelled', since });
    await session.clock.sleep(apartMs);
  }
}
