import { eventKinds } from '../../../contract/events.ts';
import type { Received } from '../../../webhooks/inbox/mailbox.ts';
import { headerValues } from '../../../webhooks/signature/delivery.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { fieldsNamed } from '../../records/named-fields.ts';
import type { Session } from '../../session/session.ts';
import type { Attempt, Created } from '../records/creating.ts';
import { arrivals, noDelivery, type WebhookArrivals } from './arrivals.ts';
import { announces, isAbout, namedEvents } from './payload.ts';
import {
  type AfterRemoval,
  type Announcement,
  bookingAfterRemoval,
  cancellationAnnouncement,
  creationAnnouncement,
} from './story.ts';
import { asksForEvents, registration, subscribesTo, webhookNames } from './subscribe.ts';

/** How the deployment delivers events, where the document is silent. Throws Inconclusive where no delivery came. */
export async function deliveryHabits(session: Session): Promise<Record<string, unknown>> {
  const webhooks = await arrivals(session);
  const all = webhooks.flatMap(({ deliveries }) => deliveries);
  if (all.length === 0) {
    throw noDelivery();
  }
  const created = await resultOrNull(creationAnnouncement(session));
  const cancelled = await resultOrNull(cancellationAnnouncement(session));
  const after = await resultOrNull(bookingAfterRemoval(session));
  const unselective = await resultOrNull(registration(session, webhookNames.unselective));
  const webhookOf = (name: string): WebhookArrivals | undefined => webhooks.find((webhook) => webhook.name === name);
  return {
    method: distinct(all.map(({ method }) => method)),
    'content type': distinct(all.map((delivery) => headerValues(delivery, 'content-type').join(', ') || 'none')),
    'times each event comes': created?.heard.map(timesOf)[0] ?? null,
    'redelivery after a 500': after === null ? null : redelivery(after),
    order: orderOf(created?.heard[0]?.delivery, cancelled?.heard[0]?.delivery),
    selection: created === null ? null : selectionOf(webhookOf(webhookNames.selective), created.booking),
    'without a selection':
      created === null
        ? null
        : withoutSelection(webhookOf(webhookNames.unselective), unselective?.attempt, created.booking),
    handshakes: distinct(webhooks.flatMap(handshakesOf)),
  };
}

/** How the deployment makes sure of a receiver: by handshakes, or by a first request without an event. */
const handshakesOf = ({ mailbox, greeting }: WebhookArrivals): string[] => [
  ...mailbox.handshakes.map(({ name }) => name),
  ...(greeting === undefined ? [] : ['a request without an event']),
];

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** How often the delivery came, counting equal bodies. */
const timesOf = ({ listener, delivery }: Announcement['heard'][number]): number | null =>
  delivery === undefined ? null : listener.mailbox.deliveries.filter(({ body }) => body.equals(delivery.body)).length;

/** How the second attempt at a failed delivery differs from the first. */
function redelivery({ listener, booking }: AfterRemoval): unknown {
  const attempts = listener.mailbox.deliveries.filter((delivery) => announces(delivery, 'booking.created', booking));
  const failed = attempts.find(({ answered }) => answered === 500);
  if (failed === undefined) {
    return 'unknown: the delivery that should have failed did not arrive';
  }
  const next = attempts.find(({ number }) => number > failed.number);
  if (next === undefined) {
    return 'none within EVENT_WAIT_MS';
  }
  const changed = next.headers
    .filter(([name, value]) => !headerValues(failed, name).includes(value))
    .map(([name]) => name.toLowerCase());
  // Only measured: whether a timestamp in whole seconds differs is chance.
  return { 'same body': next.body.equals(failed.body), measured: { 'headers that changed': distinct(changed) } };
}

function orderOf(created: Received | undefined, cancelled: Received | undefined): string | null {
  if (created === undefined || cancelled === undefined) {
    return null;
  }
  return created.number < cancelled.number
    ? 'booking.created came before booking.cancelled'
    : 'booking.cancelled came before booking.created';
}

/** Whether the webhook that asked for cancellations alone got only those. */
function selectionOf(selective: WebhookArrivals | undefined, booking: Created): string {
  if (selective === undefined) {
    return 'unknown: the webhook for one event could not be registered';
  }
  if (subscribesTo(selective, 'booking.created')) {
    return 'unknown: the accepted registration selects no single event';
  }
  const kinds = kindsOf(selective, booking);
  if (kinds.includes('booking.created')) {
    return 'not honoured: a webhook for booking.cancelled got booking.created';
  }
  return kinds.includes('booking.cancelled')
    ? 'honoured: a webhook for booking.cancelled got that alone'
    : 'unknown: that webhook got nothing';
}

/** Which events the webhook got that named none. `attempt`: its registration. */
function withoutSelection(
  webhook: WebhookArrivals | undefined,
  attempt: Attempt | undefined,
  booking: Created,
): string {
  if (webhook === undefined) {
    // The account may take no more webhooks, whatever they select.
    const names = attempt === undefined ? [] : fieldsNamed(attempt.answer, attempt.fields).all;
    return names.some((name) => asksForEvents([name, undefined])) ? 'refused' : 'unknown: it could not be registered';
  }
  if (eventKinds.some((kind) => !subscribesTo(webhook, kind))) {
    return 'unknown: the accepted registration names events';
  }
  const kinds = kindsOf(webhook, booking);
  return kinds.length === 0
    ? 'no event comes'
    : `${distinct(kinds.map((kind) => kind ?? 'an undocumented event')).join(', ')} come`;
}

const kindsOf = ({ mailbox }: WebhookArrivals, booking: Created): (string | null)[] =>
  mailbox.deliveries
    .filter((delivery) => isAbout(delivery, booking))
    .flatMap((delivery) => namedEvents(delivery).map(({ kind }) => kind));
