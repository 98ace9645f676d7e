import { endpointOf } from '../../../../contract/endpoints.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import type { Received } from '../../../../webhooks/inbox/mailbox.ts';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { findingOn, undecided } from '../../../engine/expect.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import { findInList, findInListUntil, type ListSearch } from '../../../records/list-search.ts';
import { isStillListed, rowFromCreate } from '../../../records/listed-records.ts';
import { deleteRecord } from '../../../records/own.ts';
import { noteIneffective } from '../../../records/still-there.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { deleting } from '../kinds.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { listedPair } from '../records/listed-pair.ts';
import { recordFor } from '../records/run-records.ts';
import { awaitDelivery, cancellationAnnouncement, creationAnnouncement, eventSpacingMs } from './caused-events.ts';
import { type Listener, listeners, needsDeliveries } from './listeners.ts';
import { isAbout, namedEvents } from './payload.ts';
import { firstWebhook, type Registration, registration, webhookNames } from './registrations.ts';

/** The removal of a webhook of the run's. */
export interface Removal {
  readonly removed: Registration;
  readonly record: Created;
  readonly answer: Answer;
  /** Which of its ids it was removed by. */
  readonly id: string;
  /** Its row before, or one as the answer to its create shows it. */
  readonly before: ReturnType<typeof rowFromCreate>;
  /** Where the list shows it afterwards. */
  readonly search: ListSearch;
}

/** Removes the second webhook, or the only one, after the first events. Throws Inconclusive where there is none. */
export const webhookRemoval = step(async (session): Promise<Removal> => {
  if (needsDeliveries(session)) {
    await settle(creationAnnouncement(session), cancellationAnnouncement(session));
  }
  const [first, second] = await Promise.all([firstWebhook(session), registration(session, webhookNames.second)]);
  const removed = isSuccess(second.attempt.answer) ? second : first;
  const record = assertCreated(removed.attempt);
  const pair = await resultOrNull(listedPair(session, 'webhooks'));
  const listed = removed === second ? pair?.second?.search : pair?.first;
  const before = listed?.row === undefined ? rowFromCreate(record) : { isShown: false, row: listed.row };
  const answer = await deleteRecord(session, record);
  const { id } = record;
  const search = await findInListUntil(session, record, (found) => !isStillListed(found, before, record));
  if (isSuccess(answer) && isStillListed(search, before, record)) {
    await noteIneffective(session, record.collection);
  }
  return { removed, record, answer, id, before, search };
});

/** A booking created after a webhook was removed. The webhook that still listens answered its delivery with 500. */
export interface AfterRemoval {
  readonly booking: Created;
  /** The delivery to the webhook that still listens; undefined: none came. */
  readonly control: Received | undefined;
  /**
   * Deliveries about the booking to the removed webhook: those that came earlier may show its number as that of
   * something else.
   */
  readonly strays: readonly Received[];
  readonly removed: Registration;
  readonly listener: Listener;
  /** When the booking was about to be created, epoch milliseconds. */
  readonly since: number;
}

/**
 * Creates a booking when one webhook is removed and the other fails once, and waits for EVENT_WAIT_MS: the one must
 * stay silent, the other may get a second attempt. Throws Inconclusive where the webhook was not removed, or there is
 * no other.
 */
export const bookingAfterRemoval = step(async (session): Promise<AfterRemoval> => {
  const [listener] = await listeners(session);
  const { answer, removed } = await webhookRemoval(session);
  if (!isSuccess(answer)) {
    const message = `Webhook cannot be removed: ${describeAnswer(answer)}`;
    throw undecided(answer, message, endpointOf(deleting('webhooks')).clause);
  }
  if (removed.name === listener.name) {
    throw new Inconclusive({
      message: 'The deployment accepts only one webhook, so none is left to compare the removed one with',
    });
  }
  const { booking: earlier } = await creationAnnouncement(session);
  // The removal may take that long to show effect.
  const settledAt = answer.exchange.receivedAt + session.settings.KEY_SETTLE_MS;
  await session.clock.sleep(Math.max(0, settledAt - session.clock.now()));
  const since = session.clock.now();
  const earlierDeliveries = removed.mailbox?.deliveries.length;
  listener.mailbox.failOnce((delivery) => !isCancellation(delivery) && !isAbout(delivery, earlier));
  const booking = assertCreated(await recordFor(session, 'bookings', 'a removed webhook'));
  const control = await awaitDelivery(session, listener, { booking, kind: 'booking.created', since });
  if (control === undefined) {
    await assertKept(session, listener, removed);
  }
  await session.clock.sleep(since + session.settings.EVENT_WAIT_MS - session.clock.now());
  await settle(cancelAndWait(session, listener, booking));
  const strays =
    removed.mailbox?.deliveries.slice(earlierDeliveries).filter((delivery) => isAbout(delivery, booking)) ?? [];
  return { booking, control, listener, removed, since, strays };
});

/** Throws Inconclusive where the removal of a webhook removed the listener's, too: its silence is no other defect. */
async function assertKept(session: Session, listener: Listener, removed: Registration): Promise<void> {
  const record = assertCreated(listener.attempt);
  const before = await resultOrNull(listedPair(session, 'webhooks'));
  const after = before?.first.isShown ? await resultOrNull(findInList(session, record.collection, record)) : null;
  if (after?.isShown === false) {
    const message = `The ${listener.name} has not been listed since the ${removed.name} was removed: its silence proves nothing`;
    const blames = endpointOf(deleting('webhooks')).clause;
    throw new Inconclusive(findingOn(after.last, { message, ...(blames === undefined ? {} : { blames }) }));
  }
}

const isCancellation = (delivery: Delivery): boolean =>
  namedEvents(delivery).some(({ kind }) => kind === 'booking.cancelled');

/** Cancels the booking, as the clean-up would, and waits until the removed webhook would have heard of it, too. */
async function cancelAndWait(session: Session, listener: Listener, booking: Created): Promise<void> {
  const since = session.clock.now();
  const answer = await deleteRecord(session, booking);
  if (isSuccess(answer)) {
    await awaitDelivery(session, listener, { booking, kind: 'booking.cancelled', since });
    await session.clock.sleep(eventSpacingMs);
  }
}
