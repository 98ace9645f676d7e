import { endpointOf } from '../../../../contract/endpoints.ts';
import type { EventKind } from '../../../../contract/events.ts';
import type { Received } from '../../../../webhooks/inbox/inbox.ts';
import { describeAnswer, undecided } from '../../../engine/expect.ts';
import { settle } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { deleteRecord } from '../../../shared/records.ts';
import { bookingCancelled } from '../deletions/deletions.ts';
import { deleting } from '../kinds.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { recordFor } from '../records/records.ts';
import { askersOf, type Listener, listeners } from './listeners.ts';
import { brings } from './payload.ts';

/** One event that was caused, and what came of it at each webhook. */
export interface Announcement {
  readonly booking: Created;
  readonly kind: EventKind;
  /** Epoch milliseconds at which the call was about to be sent. */
  readonly since: number;
  /** The answer to the call that causes it. */
  readonly answer: Answer;
  /** The first delivery about the booking under that name; undefined where none came in time. */
  readonly heard: readonly { readonly listener: Listener; readonly delivery: Received | undefined }[];
}

/** Keeps two deliveries of a webhook in different seconds, so that a signed time shows. */
export const apartMs = 1_100;

/** What is awaited: an event of a kind about a booking, which cannot have been sent before it was caused. */
interface Awaited {
  readonly booking: Created;
  readonly kind: EventKind;
  readonly since: number;
}

export const awaitDelivery = (session: Session, { mailbox }: Listener, { booking, kind, since }: Awaited) =>
  mailbox.wait(
    (delivery) => delivery.receivedAt >= since && brings(delivery, kind, booking),
    session.settings.EVENT_WAIT_MS,
  );

const heardBy = (session: Session, all: readonly Listener[], awaited: Awaited): Promise<Announcement['heard']> =>
  Promise.all(all.map(async (listener) => ({ listener, delivery: await awaitDelivery(session, listener, awaited) })));

/**
 * Makes a booking while webhooks listen; and another one where some did not hear of one that was made before their registrations had
 * to have taken effect. Throws Inconclusive where it cannot be made.
 */
export const bookingAnnounced = step(async (session): Promise<Announcement> => {
  const first = await announced(session, 'events');
  const registeredAt = Math.max(...first.heard.map(({ listener }) => listener.attempt.answer.exchange.receivedAt));
  const isEarly = first.since < registeredAt + session.settings.KEY_SETTLE_MS;
  const isMissed = first.heard.some(({ delivery }) => delivery === undefined);
  return isEarly && isMissed ? announced(session, 'events, once more') : first;
});

async function announced(session: Session, label: string): Promise<Announcement> {
  const kind = 'booking.created';
  const askers = askersOf(await listeners(session), kind);
  const since = session.clock.now();
  const booking = assertCreated(await recordFor(session, 'bookings', label));
  return {
    booking,
    kind,
    since,
    answer: booking.answer,
    heard: await heardBy(session, askers, { booking, kind, since }),
  };
}

/**
 * Cancels that booking, once it is known what else a cancellation takes. Throws Inconclusive where it cannot be cancelled.
 */
export const cancellationAnnounced = step(async (session): Promise<Announcement> => {
  const kind = 'booking.cancelled';
  const { booking, since: created } = await bookingAnnounced(session);
  const askers = askersOf(await listeners(session), kind);
  if (session.clauses.has(endpointOf(deleting('bookings')).clause)) {
    await settle(bookingCancelled(session));
  }
  await session.clock.sleep(created + apartMs - session.clock.now());
  const since = session.clock.now();
  const answer = await deleteRecord(session, booking);
  if (!isSuccess(answer)) {
    const message = `Booking cannot be cancelled: ${describeAnswer(answer)}`;
    throw undecided(answer, message, endpointOf(deleting('bookings')).clause);
  }
  return { booking, kind, since, answer, heard: await heardBy(session, askers, { booking, kind, since }) };
});
