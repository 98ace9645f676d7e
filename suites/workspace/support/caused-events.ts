import { endpointOf } from '../../../contract/endpoints.ts';
import type { EventKind } from '../../../contract/events.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Received } from '../../../webhooks/inbox/inbox.ts';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { describeAnswer, undecided } from '../../engine/expect.ts';
import { settle } from '../../engine/parts.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { isListed, madeRow } from '../../shared/created.ts';
import { noteIneffective } from '../../shared/ineffective.ts';
import { type ListSearch, lookUntil } from '../../shared/list-search.ts';
import { deleteById, deleteRecord } from '../../shared/records.ts';
import { assertCreated, type Created } from './create.ts';
import { bookingCancelled } from './deletions.ts';
import { isGreeting } from './greeting.ts';
import { deleting } from './kinds.ts';
import { listedTogether } from './listed-together.ts';
import { askersOf, type Listener, listeners, looksAtDeliveries } from './listeners.ts';
import { brings, isAbout, namedEvents } from './payload.ts';
import { recordFor } from './records.ts';
import { firstWebhook, type Registration, registration, webhookNames } from './registrations.ts';

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
const apartMs = 1_100;

/** What is awaited: an event of a kind about a booking, which cannot have been sent before it was caused. */
interface Awaited {
  readonly booking: Created;
  readonly kind: EventKind;
  readonly since: number;
}

const awaitDelivery = (session: Session, { mailbox }: Listener, { booking, kind, since }: Awaited) =>
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

/** A webhook of the run's that was removed, and whether it is listed still. */
export interface Removal {
  readonly removed: Registration;
  readonly record: Created;
  readonly answer: Answer;
  /** The one of its ids under which it was removed. */
  readonly id: string;
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
  await settle(listedTogether(session, 'webhooks'));
  const { answer, id } = await deleteById(session, record);
  const search = await lookUntil(session, record, (found) => !isListed(found, madeRow(record), record));
  if (isSuccess(answer) && isListed(search, madeRow(record), record)) {
    await noteIneffective(session, record.collection);
  }
  return { removed, record, answer, id, search };
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

/** A listener, and everything that arrived there. */
export type Reached = Listener & {
  readonly deliveries: readonly Received[];
  /** What came first, and only made sure of the receiver: it is none of the deliveries. */
  readonly greeting: Received | undefined;
};

/** Everything that arrived at the run's webhooks, when all that is caused on purpose has been awaited. */
export const arrivals = step(async (session): Promise<readonly Reached[]> => {
  const all = await listeners(session);
  await settle(bookingAnnounced(session), cancellationAnnounced(session), bookingAfterRemoval(session));
  return all.map((one) => {
    const [first, ...rest] = one.mailbox.deliveries;
    return first !== undefined && isGreeting(session, one, first)
      ? { ...one, greeting: first, deliveries: rest }
      : { ...one, greeting: undefined, deliveries: one.mailbox.deliveries };
  });
});

/** Every delivery of the run. Throws Inconclusive where there is none. */
export async function allDeliveries(session: Session): Promise<readonly Received[]> {
  const deliveries = (await arrivals(session)).flatMap((one) => one.deliveries);
  if (deliveries.length === 0) {
    throw noDelivery();
  }
  return deliveries;
}

/** No delivery came at all: the clauses on deliveries have nothing to judge. */
export const noDelivery = (): Inconclusive =>
  new Inconclusive({
    message: 'No delivery arrived at any webhook of the run',
    cause: 'A receiver behind a proxy or tunnel must be reachable for the deployment',
    blames: 'workspace.events.booking-created',
  });
