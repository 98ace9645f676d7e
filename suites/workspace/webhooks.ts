import type { EventKind } from '../../contract/events.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import { headerValues } from '../../webhooks/signature/delivery.ts';
import { type Checks, resultOrNull } from '../engine/check.ts';
import type { Session } from '../session/session.ts';
import { brings, eventNames, isAbout } from './events/payload.ts';
import { judgeSignature, judgeSignatureSecret, observeScheme } from './events/signatures.ts';
import { subscribesTo, webhookNames } from './events/subscribe.ts';
import {
  type Announcement,
  allDeliveries,
  announcing,
  arrivals,
  bookingAfterRemoval,
  cancellationAnnouncement,
  creationAnnouncement,
  heardAt,
  type WebhookArrivals,
} from './events/webhook-story.ts';
import type { Created } from './records/creating.ts';
import { judgeDeletes } from './stories/judge-deletions.ts';
import { judgeCreates, judgeListed } from './stories/judge-records.ts';

/** Webhooks: register, list, remove, how they are delivered, and how they are signed. */
export const webhooks: Checks = {
  'workspace.webhooks.register': judgeCreates('webhooks'),
  'workspace.webhooks.list': judgeListed('webhooks'),
  'workspace.webhooks.remove': judgeDeletes('webhooks'),
  'workspace.webhooks.silent-after-remove': judgeSilence,
  'workspace.webhooks.signature': judgeSignature,
  'workspace.webhooks.signature-secret': judgeSignatureSecret,
  'workspace.webhooks.scheme': observeScheme,
  'workspace.webhooks.delivery': deliveryHabits,
};

/** A removed webhook gets no event, while it got one before, and another webhook still gets them. */
async function judgeSilence(session: Session, tally: Tally): Promise<void> {
  const created = await creationAnnouncement(session);
  const later = await bookingAfterRemoval(session);
  const { booking, strays, removed } = later;
  const [stray] = strays;
  if (stray !== undefined) {
    tally.judge({
      message: `A removed webhook still got ${eventNames(stray).join(', ')} for booking ${booking.id}, which was created later`,
      expected: 'no delivery',
      actual: `${strays.length} delivered`,
      place: removed.name,
    });
    return;
  }
  const before = heardAt(
    created,
    created.webhooks.find(({ name }) => name === removed.name),
  );
  if (before === undefined || heardAt(later, later.webhooks[0]) === undefined) {
    const message = 'Cannot judge the silence: the removed webhook got no event before, or the other one none after';
    throw new Inconclusive({ message, blames: 'workspace.events.booking-created' });
  }
  tally.judge(null);
}

/** How the deployment delivers events, where the document is silent. Throws Inconclusive where no delivery came. */
async function deliveryHabits(session: Session): Promise<Record<string, unknown>> {
  const webhooks = await arrivals(session);
  const all = await allDeliveries(session);
  const created = await resultOrNull(creationAnnouncement(session));
  const cancelled = await resultOrNull(cancellationAnnouncement(session));
  const after = await resultOrNull(bookingAfterRemoval(session));
  const selective = webhooks.find(({ name }) => name === webhookNames.selective);
  return {
    method: distinct(all.map(({ method }) => method)),
    'content type': distinct(all.map((delivery) => headerValues(delivery, 'content-type').join(', ') || 'none')),
    'redelivery after a 500': after === null ? null : redelivery(after),
    order: orderOf(created, cancelled),
    selection: created === null ? null : selectionOf(selective, created.booking),
  };
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** How the second attempt at a failed delivery differs from the first. */
function redelivery(announcement: Announcement): unknown {
  const attempts = announcement.webhooks[0]?.mailbox.deliveries.filter(announcing(announcement)) ?? [];
  const failed = attempts.find(({ answered }) => answered === 500);
  const next = failed && attempts.find(({ number }) => number > failed.number);
  if (failed === undefined || next === undefined) {
    return failed ? 'none within EVENT_WAIT_MS' : 'unknown: the delivery that should have failed did not arrive';
  }
  const changed = next.headers.filter(([name, value]) => !headerValues(failed, name).includes(value));
  // Only measured: whether a timestamp in whole seconds differs is chance.
  const measured = { 'headers that changed': distinct(changed.map(([name]) => name.toLowerCase())) };
  return { 'same body': next.body.equals(failed.body), measured };
}

function orderOf(...announcements: readonly (Announcement | null)[]): string | null {
  const [created, cancelled] = announcements.map((one) => one && heardAt(one, one.webhooks[0]));
  if (created == null || cancelled == null) {
    return null;
  }
  return created.number < cancelled.number
    ? 'booking.created came before booking.cancelled'
    : 'booking.cancelled came before booking.created';
}

/** Whether the webhook that asked for cancellations alone got only those. */
function selectionOf(selective: WebhookArrivals | undefined, booking: Created): string {
  const about = selective?.mailbox.deliveries.filter((delivery) => isAbout(delivery, booking)) ?? [];
  const got = (kind: EventKind): boolean => about.some((delivery) => brings(delivery, kind));
  const isSilent = !got('booking.created') && !got('booking.cancelled');
  if (selective === undefined || subscribesTo(selective, 'booking.created') || isSilent) {
    return 'unknown: no webhook for booking.cancelled alone could be registered, or it got nothing';
  }
  return got('booking.created')
    ? 'not honoured: a webhook for booking.cancelled got booking.created'
    : 'honoured: a webhook for booking.cancelled got that alone';
}
