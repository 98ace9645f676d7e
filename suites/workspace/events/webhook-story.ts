import { scalarText, walk } from '../../../common/json.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { EventKind } from '../../../contract/events.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import { eventsIn } from '../../../webhooks/events/read.ts';
import type { Received } from '../../../webhooks/inbox/inbox.ts';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { findTokens, isSignatureNamed } from '../../../webhooks/signature/tokens.ts';
import { resultOrNull, settle, stageOrNull } from '../../engine/check.ts';
import { needAccepted, undecided } from '../../engine/expect.ts';
import { escaped, standsIn, wordsPattern } from '../../reading/own-words.ts';
import { mayHoldId } from '../../reading/record.ts';
import { deleteRecord, timeToSettle } from '../../records/own.ts';
import type { Answer } from '../../session/call.ts';
import { type Session, step } from '../../session/session.ts';
import { assertCreated, type Created, deleting, type Kind, kindOf } from '../records/creating.ts';
import {
  anotherOf,
  type Listener,
  listeners,
  needsDeliveries,
  registration,
  subscribersOf,
} from '../records/run-records.ts';
import { type RecordStory, recordStory, tell } from '../stories/record-story.ts';

/**
 * The story of a kind. A webhook is removed after the first events, and a booking cancelled once theirs is the newest:
 * a cancellation that takes the newest, whatever its id, shows. Throws Inconclusive or Skipped where no record could be
 * created.
 */
export const storyOf = step((session, kind: Kind): Promise<RecordStory> => {
  const events = { webhooks: [creationAnnouncement, cancellationAnnouncement], bookings: [creationAnnouncement] };
  return kind === 'agents' || kind === 'leads'
    ? recordStory(session, kind)
    : tell(session, kind, async () => {
        const awaited = needsDeliveries(session) ? events[kind] : [];
        await settle(...awaited.map((event) => event(session)));
      });
});

/**
 * What the story saw of a list that is judged; null: nothing. Not of the agents, whose list first shows whether
 * anything works.
 */
export async function listedInStory(session: Session, { clause, path }: Endpoint): Promise<Answer | null> {
  const kind = kindOf({ path });
  const isTold = kind !== 'agents' && session.settings.WRITES === 'all' && session.clauses.has(clause);
  const story = isTold ? await resultOrNull(storyOf(session, kind)) : null;
  return (story && stageOrNull(story.listed))?.first.first ?? null;
}

/** An event that the run caused. */
export interface Announcement {
  readonly booking: Created;
  readonly kind: EventKind;
  /** When the call was about to be sent, epoch milliseconds. */
  readonly since: number;
  /** The answer to the call that caused the event. */
  readonly answer: Answer;
  /** Those that asked for it. */
  readonly webhooks: readonly Listener[];
}

/** Whether a delivery announces the event. */
export const announcing =
  ({ booking, kind, since }: Announcement) =>
  (delivery: Received): boolean =>
    delivery.receivedAt >= since && isAbout(delivery, booking, kind);

/** The first delivery of the event at a webhook; undefined: none has come. It may come after EVENT_WAIT_MS. */
export const heardAt = (announcement: Announcement, webhook: Listener | undefined): Received | undefined =>
  webhook?.mailbox.deliveries.find(announcing(announcement));

/** Time between two events, ms: a signed timestamp in seconds then differs between their deliveries. */
const eventSpacingMs = 1_100;

/**
 * Creates a booking, or cancels one, and waits until these webhooks have heard it, or for EVENT_WAIT_MS. Throws
 * Inconclusive where that is not possible.
 */
async function announce(
  session: Session,
  webhooks: readonly Listener[],
  kind: 'booking.created' | 'booking.cancelled',
  cancelled?: Created,
): Promise<Announcement> {
  const since = session.clock.now();
  const booking = cancelled ?? assertCreated(await anotherOf(session, 'bookings'));
  const answer = cancelled === undefined ? booking.answer : await deleteRecord(session, booking);
  if (cancelled !== undefined) {
    needAccepted(answer, 'Booking cannot be cancelled', endpointOf(deleting('bookings')).clause);
  }
  const announcement = { booking, answer, kind, since, webhooks };
  const isIt = announcing(announcement);
  await Promise.all(webhooks.map(({ mailbox }) => mailbox.wait(isIt, session.settings.EVENT_WAIT_MS)));
  return announcement;
}

/** Creates a booking while webhooks listen. Throws Inconclusive where no booking can be created. */
export const creationAnnouncement = step(async (session): Promise<Announcement> => {
  const all = await listeners(session);
  const webhooks = subscribersOf(all, 'booking.created');
  // A registration may take that long to show effect.
  await session.clock.sleep(Math.max(...all.map(({ answer }) => timeToSettle(session, answer))));
  return announce(session, webhooks, 'booking.created');
});

/** Cancels that booking, after the cancellation that is judged. Throws Inconclusive where it cannot be cancelled. */
export const cancellationAnnouncement = step(async (session): Promise<Announcement> => {
  const { booking, since } = await creationAnnouncement(session);
  const webhooks = subscribersOf(await listeners(session), 'booking.cancelled');
  await settle(storyOf(session, 'bookings'));
  await session.clock.sleep(since + eventSpacingMs - session.clock.now());
  return announce(session, webhooks, 'booking.cancelled', booking);
});

/**
 * Creates a booking when one webhook is removed and the other fails once, and waits for EVENT_WAIT_MS: the one must
 * stay silent, the other may get a second attempt. Throws Inconclusive where the webhook was not removed.
 */
export const bookingAfterRemoval = step(async (session) => {
  const [listener] = await listeners(session);
  const { answer, search, taken } = (await storyOf(session, 'webhooks')).deletion();
  const removed = await registration(session, 'second webhook');
  needAccepted(answer, 'Webhook cannot be removed', endpointOf(deleting('webhooks')).clause);
  const { booking: earlier } = await creationAnnouncement(session);
  // The removal may take that long to show effect.
  await session.clock.sleep(timeToSettle(session, answer));
  const earlierDeliveries = removed.mailbox?.deliveries.length;
  listener.mailbox.failsOnce = (delivery) => !isAbout(delivery, earlier) && !brings(delivery, 'booking.cancelled');
  const announcement = await announce(session, [listener], 'booking.created');
  const { booking, since } = announcement;
  if (heardAt(announcement, listener) === undefined && taken.own.includes(listener.id ?? '')) {
    // Its silence is no other defect.
    const message = `The ${listener.name} has not been listed since the ${removed.name} was removed: its silence proves nothing`;
    throw undecided(search.last, message, endpointOf(deleting('webhooks')).clause);
  }
  await session.clock.sleep(since + session.settings.EVENT_WAIT_MS - session.clock.now());
  // The booking is cancelled, as clean-up would, while the removed webhook would hear of it, too.
  await settle(announce(session, [listener], 'booking.cancelled', booking));
  await session.clock.sleep(eventSpacingMs);
  // Those that came earlier may show its number as that of something else.
  const later = removed.mailbox?.deliveries.slice(earlierDeliveries) ?? [];
  return { ...announcement, removed, strays: later.filter((delivery) => isAbout(delivery, booking)) };
});

/** A listener, and everything that arrived there. */
export type WebhookArrivals = Listener & { readonly deliveries: readonly Received[] };

/** Everything that arrived at the run's webhooks, once the events were awaited. Throws as `listeners` does. */
export const arrivals = step(async (session): Promise<readonly WebhookArrivals[]> => {
  const all = await listeners(session);
  await settle(creationAnnouncement(session), cancellationAnnouncement(session), bookingAfterRemoval(session));
  return all.map((listener) => {
    const { deliveries } = listener.mailbox;
    const [first, ...rest] = deliveries;
    return { ...listener, deliveries: first !== undefined && isGreeting(listener, first) ? rest : deliveries };
  });
});

/** Every delivery of the run. Throws Inconclusive where there is none: clauses on deliveries have nothing to judge. */
export async function allDeliveries(session: Session): Promise<readonly Received[]> {
  const deliveries = (await arrivals(session)).flatMap((webhook) => webhook.deliveries);
  if (deliveries.length === 0) {
    throw new Inconclusive({
      message: 'No delivery arrived at any webhook of the run',
      advice: 'Make sure that the deployment can reach the receiver, also through a proxy or tunnel',
      blames: 'workspace.events.booking-created',
    });
  }
  return deliveries;
}

/** Whether a first request only makes sure of the receiver: it came before the registration was answered, unsigned. */
const isGreeting = ({ answer }: Listener, first: Received): boolean =>
  first.receivedAt <= answer.exchange.receivedAt &&
  !findTokens(first).some(({ place }) => isSignatureNamed(place)) &&
  eventsIn(first).every(({ kind }) => kind === null);

/** By what a payload may name a record of the run's. */
interface NamedRecord {
  readonly id: string;
  /** What the answer to its create calls its ids: events may use any of them. */
  readonly aliases?: readonly string[];
  readonly tag: string;
}

/** Whether nothing in a delivery can be read. */
export const isUnreadable = (delivery: Delivery): boolean => !eventsIn(delivery).some(({ isReadable }) => isReadable);

/** Whether a delivery is about a record; `kind`: whether it brings an event of that kind about it. */
export const isAbout = (delivery: Delivery, record: NamedRecord, kind?: EventKind): boolean =>
  eventsIn(delivery).some((one) => (kind ?? one.kind) === one.kind && namesRecord(one.payload, record));

/** Whether a delivery brings an event of that kind. */
export const brings = (delivery: Delivery, kind: EventKind): boolean =>
  eventsIn(delivery).some((one) => one.kind === kind);

/** The names of the events that a delivery brings. */
export const eventNames = (delivery: Delivery): string[] => eventsIn(delivery).map(({ name }) => name ?? 'no event');

/** Whether a payload contains an id of the record, as a value or in a path, or the record's words. */
function namesRecord(payload: unknown, { id, aliases = [], tag }: NamedRecord): boolean {
  const ids = [id, ...aliases];
  const words = wordsPattern(tag);
  if (typeof payload === 'string') {
    return words.test(payload) || ids.some((one) => one.length >= 8 && standsIn(payload, one));
  }
  const paths = ids.map((one) => new RegExp(`/${escaped(one)}(?![\\w-])`));
  return walk(payload).some(({ value, name }) => {
    const text = scalarText(value) ?? '';
    if (typeof value === 'number') {
      return ids.includes(text) && (mayHoldId(name) || /^(booking|pk$)/i.test(name));
    }
    return words.test(text) || ids.some((one) => value === one) || paths.some((path) => path.test(text));
  });
}

/** The types of a payload's fields by JSON pointer; of lists those of the first member. */
export function fieldTypes(payload: unknown): Record<string, string> {
  const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);
  const fields = walk(payload)
    .filter(({ pointer }) => !/\/[1-9]\d*(\/|$)/.test(pointer))
    .slice(0, 300);
  return Object.fromEntries(
    fields.map(({ pointer, value }) => [pointer.replace(/\/0(?=\/|$)/g, '/*'), typeName(value)] as const).sort(),
  );
}
