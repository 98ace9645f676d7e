import { Inconclusive } from '../../../results/stop.ts';
import { eventsIn } from '../../../webhooks/events/read.ts';
import type { Received } from '../../../webhooks/inbox/mailbox.ts';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { findTokens, isSignatureNamed } from '../../../webhooks/signature/tokens.ts';
import { settle } from '../../engine/parts.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { pathOf } from '../kinds.ts';
import { isAbout } from './payload.ts';
import { bookingAfterRemoval, cancellationAnnouncement, creationAnnouncement } from './story.ts';
import { type Listener, listeners } from './subscribe.ts';

/** A listener, and everything that arrived there. */
export type WebhookArrivals = Listener & {
  readonly deliveries: readonly Received[];
  /** A first request that only made sure of the receiver: it is not one of the deliveries. */
  readonly greeting: Received | undefined;
};

/** Everything that arrived at the run's webhooks, once all events were awaited. Throws as `listeners` does. */
export const arrivals = step(async (session): Promise<readonly WebhookArrivals[]> => {
  const all = await listeners(session);
  await settle(creationAnnouncement(session), cancellationAnnouncement(session), bookingAfterRemoval(session));
  return all.map((listener) => {
    const { deliveries } = listener.mailbox;
    const [first, ...rest] = deliveries;
    return first !== undefined && isGreeting(session, listener, first)
      ? { ...listener, greeting: first, deliveries: rest }
      : { ...listener, greeting: undefined, deliveries };
  });
});

/** Every delivery of the run. Throws Inconclusive where there is none. */
export async function allDeliveries(session: Session): Promise<readonly Received[]> {
  const deliveries = (await arrivals(session)).flatMap((webhook) => webhook.deliveries);
  if (deliveries.length === 0) {
    throw noDelivery();
  }
  return deliveries;
}

/** No delivery came at all: the clauses on deliveries have nothing to judge. */
export const noDelivery = (): Inconclusive =>
  new Inconclusive({
    message: 'No delivery arrived at any webhook of the run',
    cause: 'A receiver behind a proxy or tunnel must be reachable from the deployment',
    blames: 'workspace.events.booking-created',
  });

/** Whether a first request only makes sure of the receiver: no documented event, and no record of the run. */
function isGreeting({ ledger }: Session, { attempt }: Listener, first: Received): boolean {
  const isDuringRegistration = first.receivedAt <= attempt.answer.exchange.receivedAt;
  const mayNameEvent = isDuringRegistration && !isSigned(first);
  const bringsNoEvent = eventsIn(first).every(
    ({ found, ...event }) => found === 'nothing' || (mayNameEvent && 'kind' in event && event.kind === null),
  );
  const records = ledger.all().filter(({ collection }) => collection !== pathOf('webhooks'));
  return bringsNoEvent && !records.some(({ id, tag }) => isAbout(first, { id: idIfUnique(id) ?? tag, tag }));
}

const isSigned = (delivery: Delivery): boolean => findTokens(delivery).some(({ place }) => isSignatureNamed(place));

/** A short id may be that of several records, of different kinds. */
const idIfUnique = (id: string | undefined): string | undefined =>
  id !== undefined && id.length >= 8 ? id : undefined;
