import { endpointOf } from '../../../contract/endpoints.ts';
import type { EventKind } from '../../../contract/events.ts';
import type { Received } from '../../../webhooks/inbox/mailbox.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { undecided } from '../../engine/expect.ts';
import { settle } from '../../engine/parts.ts';
import { deleteRecord } from '../../records/own.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { deleting } from '../kinds.ts';
import { recordStory } from '../life/story.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { recordFor } from '../records/run-records.ts';
import { type Listener, listeners, subscribersOf } from './listeners.ts';
import { announces } from './payload.ts';

/** An event that the run caused, and what came of it at each webhook that asked for it. */
export interface Announcement {
  readonly booking: Created;
  readonly kind: EventKind;
  /** When the call was about to be sent, epoch milliseconds. */
  readonly since: number;
  /** The answer to the call that caused the event. */
  readonly answer: Answer;
  /** By webhook: the first delivery of the event; undefined: none came within EVENT_WAIT_MS. */
  readonly heard: readonly { readonly listener: Listener; readonly delivery: Received | undefined }[];
}

/** Time between two events, ms: a signed timestamp in seconds then differs between their deliveries. */
export const eventSpacingMs = 1_100;

/** An event that is awaited. */
type Awaited = Pick<Announcement, 'booking' | 'kind' | 'since'>;

/** Whether a delivery announces the event. */
export const announcing =
  ({ booking, kind, since }: Awaited) =>
  (delivery: Received): boolean =>
    delivery.receivedAt >= since && announces(delivery, kind, booking);

/** The first delivery to a webhook that announces the event; undefined: none came within EVENT_WAIT_MS. */
export const awaitDelivery = (session: Session, { mailbox }: Listener, awaited: Awaited) =>
  mailbox.wait(announcing(awaited), session.settings.EVENT_WAIT_MS);

const awaitDeliveries = (
  session: Session,
  webhooks: readonly Listener[],
  awaited: Awaited,
): Promise<Announcement['heard']> =>
  Promise.all(
    webhooks.map(async (listener) => ({ listener, delivery: await awaitDelivery(session, listener, awaited) })),
  );

/**
 * Creates a booking while webhooks listen. Where one that may not have been registered for KEY_SETTLE_MS did not get
 * the event, creates another booking. Throws Inconclusive where no booking can be created.
 */
export const creationAnnouncement = step(async (session): Promise<Announcement> => {
  const first = await announceBooking(session, 'events');
  const registeredAt = Math.max(...first.heard.map(({ listener }) => listener.attempt.answer.exchange.receivedAt));
  const isEarly = first.since < registeredAt + session.settings.KEY_SETTLE_MS;
  const isMissed = first.heard.some(({ delivery }) => delivery === undefined);
  return isEarly && isMissed ? announceBooking(session, 'events, once more') : first;
});

async function announceBooking(session: Session, label: string): Promise<Announcement> {
  const kind = 'booking.created';
  const webhooks = subscribersOf(await listeners(session), kind);
  const since = session.clock.now();
  const booking = assertCreated(await recordFor(session, 'bookings', label));
  const heard = await awaitDeliveries(session, webhooks, { booking, kind, since });
  return { booking, kind, since, answer: booking.answer, heard };
}

/** Cancels that booking, after the cancellation that is judged. Throws Inconclusive where it cannot be cancelled. */
export const cancellationAnnouncement = step(async (session): Promise<Announcement> => {
  const kind = 'booking.cancelled';
  const { booking, since: created } = await creationAnnouncement(session);
  const webhooks = subscribersOf(await listeners(session), kind);
  await settle(recordStory(session, 'bookings'));
  await session.clock.sleep(created + eventSpacingMs - session.clock.now());
  const since = session.clock.now();
  const answer = await deleteRecord(session, booking);
  if (!isSuccess(answer)) {
    const message = `Booking cannot be cancelled: ${describeAnswer(answer)}`;
    throw undecided(answer, message, endpointOf(deleting('bookings')).clause);
  }
  const heard = await awaitDeliveries(session, webhooks, { booking, kind, since });
  return { booking, kind, since, answer, heard };
});
