import type { EventKind } from '../../contract/events.ts';
import { Inconclusive, Skipped } from '../../results/stop.ts';
import type { Mailbox, Received } from '../../webhooks/inbox/inbox.ts';
import type { Delivery } from '../../webhooks/signature/delivery.ts';
import { cameOf, findingOn } from '../engine/expect.ts';
import { settled } from '../engine/partly.ts';
import type { Answer } from '../session/call.ts';
import { deleting } from './endpoints.ts';
import { asksFor, type Hook, hook, hookNames } from './hooks.ts';
import { lookFor, type Sighting, untilShown } from './lists.ts';
import { eventOf, tellsOf } from './payload.ts';
import { another, type Made, made, remove, succeeded } from './records.ts';
import { isShown } from './records-judged.ts';
import type { WorkspaceSession } from './session.ts';

/** A webhook with a receiver behind it. */
export type Reached = Hook & { readonly mailbox: Mailbox };

/** The first webhook, and the others that the deployment took. */
export type Listeners = readonly [Reached, ...Reached[]];

/** One event that was caused, and what came of it at each webhook. */
export interface Announcement {
  readonly booking: Made;
  readonly kind: EventKind;
  /** Epoch milliseconds at which the call was about to be sent. */
  readonly since: number;
  readonly answer: Answer;
  /** The first delivery that tells of the booking under that name; undefined where none came in time. */
  readonly sightings: readonly { readonly hook: Reached; readonly delivery: Received | undefined }[];
}

/** Two deliveries of one webhook are told apart by their second: a scheme that signs the time is seen to. */
const apartMs = 1_100;

/**
 * The webhooks that events are looked for at, once a run. Throws Skipped where there is no receiver or nothing may be
 * written, Inconclusive where no webhook can be registered.
 */
export const listeners = (session: WorkspaceSession): Promise<Listeners> => {
  const registered = session.once('listening webhooks', () => register(session));
  session.listening ??= registered;
  return registered;
};

async function register(session: WorkspaceSession): Promise<Listeners> {
  if (session.inbox.kind === 'no inbox') {
    throw new Skipped(session.inbox.reason, { setting: 'WEBHOOK_PUBLIC_URL' });
  }
  const first = await hook(session, hookNames.first);
  const others = await Promise.all([
    hook(session, hookNames.second),
    hook(session, hookNames.selective, ['booking.cancelled']),
    hook(session, hookNames.unselective, null),
  ]);
  made(first.attempt);
  // Where there is a receiver, each has a mailbox.
  return [first as Reached, ...others.filter((one): one is Reached => succeeded(one.attempt.answer))];
}

/**
 * Those of the listeners that an event is looked for at: the two that were to be sent every one; where a webhook takes one
 * event alone, the one that asks for this one. Throws Inconclusive where none asks for it.
 */
export function askersOf(hooks: readonly Reached[], kind: EventKind): Reached[] {
  const asking = hooks.filter((one) => asksFor(one, kind));
  const both = asking.filter(({ name }) => name === hookNames.first || name === hookNames.second);
  const askers = both.length > 0 ? both : asking.filter(({ name }) => name === hookNames.selective);
  if (askers.length > 0) {
    return askers;
  }
  throw new Inconclusive({
    message: `${kind} is not looked for: the registrations that the deployment takes ask for other events`,
    cause: 'Put a registration that asks for every event into the file that BODIES names: {"POST /v1/webhooks": {…}}',
  });
}

const isFor =
  (booking: Made, kind: EventKind) =>
  (delivery: Delivery): boolean =>
    eventOf(delivery).kind === kind && tellsOf(delivery, booking);

async function sightingsOf(
  session: WorkspaceSession,
  hooks: readonly Reached[],
  booking: Made,
  kind: EventKind,
): Promise<Announcement['sightings']> {
  return Promise.all(
    hooks.map(async (one) => ({
      hook: one,
      delivery: await one.mailbox.wait(isFor(booking, kind), session.settings.EVENT_WAIT_MS),
    })),
  );
}

/** Makes a booking while webhooks listen, once a run. Throws Inconclusive where it cannot be made. */
export const announced = (session: WorkspaceSession): Promise<Announcement> =>
  session.once('booking announced', async () => {
    const askers = askersOf(await listeners(session), 'booking.created');
    const since = session.clock.now();
    const booking = made(await another(session, 'bookings', 'events'));
    const sightings = await sightingsOf(session, askers, booking, 'booking.created');
    return { booking, kind: 'booking.created', since, answer: booking.answer, sightings };
  });

/** Cancels that booking, once a run. Throws Inconclusive where it cannot be cancelled. */
export const calledOff = (session: WorkspaceSession): Promise<Announcement> =>
  session.once('booking called off', async () => {
    const { booking, since: created } = await announced(session);
    const askers = askersOf(await listeners(session), 'booking.cancelled');
    await session.clock.sleep(created + apartMs - session.clock.now());
    const since = session.clock.now();
    const answer = await remove(session, booking);
    if (!succeeded(answer)) {
      throw new Inconclusive(
        findingOn(answer, {
          message: `Booking cannot be cancelled: ${cameOf(answer)}`,
          blames: deleting('bookings').clause,
        }),
      );
    }
    const sightings = await sightingsOf(session, askers, booking, 'booking.cancelled');
    return { booking, kind: 'booking.cancelled', since, answer, sightings };
  });

/** A webhook of the run's that was removed, and whether it is listed still. */
export interface Removed {
  readonly removed: Hook;
  readonly record: Made;
  readonly answer: Answer;
  readonly sighting: Sighting;
}

/** The second webhook, or the only one, removed once the first events have been awaited; and a look at the list. */
export const removedHook = (session: WorkspaceSession): Promise<Removed> =>
  session.once('webhook removed', async () => {
    await settled(announced(session), calledOff(session));
    // The list is read while both are registered: what it never shows, it does not lose.
    const [first, second] = await Promise.all([hook(session, hookNames.first), hook(session, hookNames.second)]);
    const removed = succeeded(second.attempt.answer) ? second : first;
    const record = made(removed.attempt);
    await settled(listedHook(session));
    const answer = await remove(session, record);
    return {
      removed,
      record,
      answer,
      sighting: await untilShown(
        session,
        () => lookFor(session, 'webhooks', record),
        (one) => !isShown(one, record),
      ),
    };
  });

/** Where the first webhook stands in the list, once a run. Throws Inconclusive where none could be registered. */
export const listedHook = (session: WorkspaceSession): Promise<Sighting> =>
  session.once('webhook listed', async () =>
    lookFor(session, 'webhooks', made((await hook(session, hookNames.first)).attempt)),
  );

/** A booking made after the second webhook was removed; the first one answered its delivery with 500. */
export interface Aftermath {
  readonly booking: Made;
  readonly control: Received | undefined;
  /** Deliveries to the removed webhook that tell of it, or of nothing older. */
  readonly strays: readonly Received[];
  readonly removed: Hook;
  readonly listening: Reached;
  /** Epoch milliseconds at which the booking was about to be made. */
  readonly since: number;
}

/**
 * Makes a booking when one webhook is gone and the other fails once, and waits as long as events are awaited: for the
 * silence of the one and the second attempt at the other. Throws Inconclusive where the webhook could not be removed.
 */
export const aftermath = (session: WorkspaceSession): Promise<Aftermath> =>
  session.once('after a webhook was removed', async () => {
    const [listening] = await listeners(session);
    const { answer, removed } = await removedHook(session);
    if (!succeeded(answer)) {
      throw new Inconclusive(
        findingOn(answer, {
          message: `Webhook cannot be removed: ${cameOf(answer)}`,
          blames: deleting('webhooks').clause,
        }),
      );
    }
    if (removed.name === listening.name) {
      throw new Inconclusive({
        message: 'The deployment takes one webhook: there is none to tell what a removed one is not sent',
      });
    }
    const { booking: earlier } = await announced(session);
    const since = session.clock.now();
    listening.mailbox.failOnce(
      (delivery) => eventOf(delivery).kind !== 'booking.cancelled' && !tellsOf(delivery, earlier),
    );
    const booking = made(await another(session, 'bookings', 'a removed webhook'));
    const control = await listening.mailbox.wait(isFor(booking, 'booking.created'), session.settings.EVENT_WAIT_MS);
    await session.clock.sleep(since + session.settings.EVENT_WAIT_MS - session.clock.now());
    const strays = removed.mailbox?.deliveries.filter((delivery) => tellsOf(delivery, booking)) ?? [];
    return { booking, control, listening, removed, since, strays };
  });

/** Everything that arrived at the run's webhooks, when all that is caused on purpose has been awaited. */
export const arrivals = (
  session: WorkspaceSession,
): Promise<readonly (Reached & { readonly deliveries: readonly Received[] })[]> =>
  session.once('arrivals', async () => {
    const hooks = await listeners(session);
    await settled(announced(session), calledOff(session), aftermath(session));
    return hooks.map((one) => ({ ...one, deliveries: [...one.mailbox.deliveries] }));
  });

/** No delivery came at all: the clauses on deliveries have nothing to judge. */
export const noDelivery = (): Inconclusive =>
  new Inconclusive({
    message: 'No delivery arrived at any webhook of the run',
    cause: 'A receiver behind a proxy or tunnel must be reachable for the deployment',
    blames: 'workspace.events.booking-created',
  });
