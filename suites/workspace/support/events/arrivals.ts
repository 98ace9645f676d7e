import { Inconclusive } from '../../../../results/stop.ts';
import { eventsIn } from '../../../../webhooks/events/read.ts';
import type { Received } from '../../../../webhooks/inbox/inbox.ts';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { leavesOf, parseBody } from '../../../../webhooks/signature/read/leaves.ts';
import { findTokens, isSignatureNamed } from '../../../../webhooks/signature/read/tokens.ts';
import { settle } from '../../../engine/parts.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { pathOf } from '../kinds.ts';
import { bookingAnnounced, cancellationAnnounced } from './caused-events.ts';
import { type Listener, listeners } from './listeners.ts';
import { isAbout } from './payload.ts';
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

/**
 * Whether the first delivery to a webhook makes sure of its receiver, and tells of nothing that the run made: it names no event, or,
 * unsigned and while it is being registered, none of those that the document names.
 */
const isGreeting = ({ ledger }: Session, { attempt }: Listener, first: Received): boolean => {
  const isEarly = first.receivedAt <= attempt.answer.exchange.receivedAt && !isSigned(first);
  return (
    eventsIn(first).every(
      ({ found, ...one }) => found === 'nothing' || (isEarly && 'kind' in one && one.kind === null),
    ) &&
    !ledger
      .all()
      .some(
        ({ collection, id, tag }) =>
          collection !== pathOf('webhooks') && isAbout(first, { id: surely(id) ?? tag, tag }),
      )
  );
};

const isSigned = (delivery: Delivery): boolean =>
  findTokens(delivery, leavesOf(parseBody(delivery))).some(({ source }) => isSignatureNamed(source));

/** Records of two kinds may have the same short id. */
const surely = (id: string | undefined): string | undefined => (id !== undefined && id.length >= 8 ? id : undefined);
