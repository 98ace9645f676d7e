import type { EventKind } from '../../../../contract/events.ts';
import { Inconclusive, Skipped } from '../../../../results/stop.ts';
import type { Mailbox } from '../../../../webhooks/inbox/inbox.ts';
import { isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { assertCreated } from '../records/create.ts';
import { asksFor, firstWebhook, type Registration, registration, webhookNames } from './registrations.ts';

/** A webhook with a receiver behind it. */
export type Listener = Registration & { readonly mailbox: Mailbox };

/** Whether the run judges a clause that looks at deliveries. */
export const looksAtDeliveries = ({ clauses }: Session): boolean =>
  [...clauses].some((id) => /^workspace\.(events\.|webhooks\.(?!register$|list$))/.test(id));

/**
 * The webhooks that events are looked for at: the first one, and the others that the deployment took. Throws Skipped where
 * there is no receiver or nothing may be written, Inconclusive where no webhook can be registered.
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
  // Where there is a receiver, each has a mailbox.
  return [first as Listener, ...others.filter((one): one is Listener => isSuccess(one.attempt.answer))];
});

/**
 * Those of the listeners that an event is looked for at: the two that were to be sent every one; where a webhook takes one
 * event alone, the one that asks for this one. Throws Inconclusive where none asks for it.
 */
export function askersOf<L extends Pick<Listener, 'name'> & Parameters<typeof asksFor>[0]>(
  all: readonly L[],
  kind: EventKind,
): L[] {
  const asking = all.filter((one) => asksFor(one, kind));
  const both = asking.filter(({ name }) => name === webhookNames.first || name === webhookNames.second);
  const askers = both.length > 0 ? both : asking.filter(({ name }) => name === webhookNames.selective);
  if (askers.length === 0) {
    throw new Inconclusive({
      message: `${kind} is not looked for: the registrations that the deployment takes ask for other events`,
      cause: 'Put a registration that asks for every event into the file that BODIES names: {"POST /v1/webhooks": {…}}',
    });
  }
  return askers;
}
