import type { EventKind } from '../../../contract/events.ts';
import { Inconclusive, Skipped } from '../../../results/stop.ts';
import type { Mailbox } from '../../../webhooks/inbox/mailbox.ts';
import { isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { assertCreated } from '../records/create.ts';
import { firstWebhook, type Registration, registration, webhookNames } from './registrations.ts';
import { subscribesTo } from './subscriptions.ts';

/** A registered webhook with a receiver. */
export type Listener = Registration & { readonly mailbox: Mailbox };

/** Whether the run judges a clause that needs deliveries. */
export const needsDeliveries = ({ clauses }: Session): boolean =>
  [...clauses].some((id) => /^workspace\.(events\.|webhooks\.(?!register$|list$))/.test(id));

/**
 * The webhooks that receive events: the first one, and the others that the deployment accepted. Throws Skipped where
 * the run has no receiver or may not write, Inconclusive where no webhook can be registered.
 */
export const listeners = step(async (session): Promise<readonly [Listener, ...Listener[]]> => {
  if (session.inbox.kind === 'no inbox') {
    throw new Skipped(session.inbox.reason, { setting: 'WEBHOOK_PUBLIC_URL' });
  }
  const first = await firstWebhook(session);
  const others = await Promise.all([
    registration(session, webhookNames.second),
    registration(session, webhookNames.selective, ['booking.cancelled']),
    registration(session, webhookNames.unselective, null),
  ]);
  assertCreated(first.attempt);
  // With a receiver, each registration has a mailbox.
  return [first as Listener, ...others.filter((one): one is Listener => isSuccess(one.attempt.answer))];
});

/**
 * The webhooks that must get an event: those of the first two that ask for it or, where a webhook can ask for one event
 * only, the one that asks for this one. Throws Inconclusive where none asks for it.
 */
export function subscribersOf<L extends Pick<Listener, 'name'> & Parameters<typeof subscribesTo>[0]>(
  all: readonly L[],
  kind: EventKind,
): L[] {
  const subscribed = all.filter((webhook) => subscribesTo(webhook, kind));
  const firstTwo = subscribed.filter(({ name }) => name === webhookNames.first || name === webhookNames.second);
  const subscribers = firstTwo.length > 0 ? firstTwo : subscribed.filter(({ name }) => name === webhookNames.selective);
  if (subscribers.length === 0) {
    throw new Inconclusive({
      message: `${kind} was not tested: the registrations that the deployment accepts select other events`,
      advice: 'Add a registration for all events to your BODIES file: {"POST /v1/webhooks": {…}}',
    });
  }
  return subscribers;
}
