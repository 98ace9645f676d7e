import { Inconclusive } from '../../../results/stop.ts';
import type { Received } from '../../../webhooks/inbox/inbox.ts';
import { settle } from '../../engine/parts.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { bookingAnnounced, cancellationAnnounced } from './caused-events.ts';
import { isGreeting } from './greeting.ts';
import { type Listener, listeners } from './listeners.ts';
import { bookingAfterRemoval } from './webhook-removal.ts';

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
