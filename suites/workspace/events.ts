import { walk } from '../../common/json.ts';
import { counted } from '../../common/words.ts';
import { type EventKind, eventKinds } from '../../contract/events.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { eventsIn } from '../../webhooks/events/read.ts';
import type { Received } from '../../webhooks/inbox/inbox.ts';
import { isReached } from '../../webhooks/inbox/server.ts';
import { headerValues } from '../../webhooks/signature/delivery.ts';
import { type Checks, resultOrNull } from '../engine/check.ts';
import { describeAnswer, findingOn } from '../engine/expect.ts';
import { isServerFailure } from '../session/call.ts';
import { type Session, send } from '../session/session.ts';
import { judgeSignature, judgeSignatureSecret, observeScheme } from './events/signatures.ts';
import {
  type Announcement,
  allDeliveries,
  announcing,
  arrivals,
  bookingAfterRemoval,
  brings,
  cancellationAnnouncement,
  creationAnnouncement,
  eventNames,
  fieldTypes,
  heardAt,
  isAbout,
  isUnreadable,
  type WebhookArrivals,
} from './events/webhook-story.ts';
import { type Created, listing } from './records/creating.ts';
import { type Listener, subscribesTo } from './records/run-records.ts';
import { judgeCreates, judgeDeletes, judgeListed } from './stories/judge-records.ts';

/** Webhooks and events: registrations, what is announced, and how it is named, delivered and signed. */
export const events: Checks = {
  'workspace.webhooks.register': judgeCreates('webhooks'),
  'workspace.webhooks.list': judgeListed('webhooks'),
  'workspace.webhooks.remove': judgeDeletes('webhooks'),
  // A removed webhook gets no event, while it got one before, and another webhook still gets them.
  'workspace.webhooks.silent-after-remove': async (session, tally) => {
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
  },
  'workspace.webhooks.signature': judgeSignature,
  'workspace.webhooks.signature-secret': judgeSignatureSecret,
  'workspace.webhooks.scheme': observeScheme,
  // How the deployment delivers events, where the document is silent. Throws Inconclusive where no delivery came.
  'workspace.webhooks.delivery': async (session) => {
    const webhooks = await arrivals(session);
    const all = await allDeliveries(session);
    const created = await resultOrNull(creationAnnouncement(session));
    const cancelled = await resultOrNull(cancellationAnnouncement(session));
    const after = await resultOrNull(bookingAfterRemoval(session));
    const [first, second] = [created, cancelled].map((one) => one && heardAt(one, one.webhooks[0]));
    const isInOrder = first && second && first.number < second.number;
    const selective = webhooks.find(({ name }) => name === 'webhook for booking.cancelled');
    return {
      method: distinct(all.map(({ method }) => method)),
      'content type': distinct(all.map((delivery) => headerValues(delivery, 'content-type').join(', ') || 'none')),
      'redelivery after a 500': after === null ? null : redelivery(after, created),
      order: isInOrder == null ? null : `booking.created came ${isInOrder ? 'before' : 'after'} booking.cancelled`,
      selection: created === null ? null : selectionOf(selective, created.booking),
    };
  },

  // A booking is announced while all webhooks work, and another one after a webhook was removed. That one is the last
  // of the run: it shows that each booking is announced at once, and not when the next one comes.
  'workspace.events.booking-created': async (session, tally) => {
    await judgeAnnouncement(session, tally, await creationAnnouncement(session));
    await tally.part(async () => judgeAnnouncement(session, tally, await bookingAfterRemoval(session)));
  },
  'workspace.events.booking-cancelled': async (session, tally) =>
    judgeAnnouncement(session, tally, await cancellationAnnouncement(session)),
  // Every delivery of the run names documented events alone. Undocumented names get one finding each.
  'workspace.events.vocabulary': async (session, tally) => {
    const deliveries = await allDeliveries(session);
    const events = deliveries.flatMap(eventsIn).filter(({ isReadable }) => isReadable);
    if (events.length === 0) {
      const message = `None of ${counted(deliveries.length, 'delivery')} can be read, so their events are unknown`;
      throw new Inconclusive({ message, expected: 'JSON, or a form, that names its event' });
    }
    const undocumented = events.filter(({ kind }) => kind === null);
    for (const { name, place } of new Map(undocumented.map((one) => [one.name, one])).values()) {
      tally.judge({
        message: name === null ? 'An event has no name in any field or header' : `Undocumented event name ${name}`,
        expected: eventKinds.join(', '),
        actual: name ?? 'no event',
        place: place ?? 'body',
      });
    }
    tally.judge(null);
  },
  'workspace.events.payload': async (session) => {
    const shapes: Record<string, unknown> = {};
    for (const { name, place, payload, isReadable } of (await allDeliveries(session)).flatMap(eventsIn)) {
      shapes[name ?? 'no event'] ??= { 'named in': place, fields: isReadable ? fieldTypes(payload) : 'unreadable' };
    }
    return shapes;
  },
};

/** Each webhook that asked for the event gets it. */
const judgeAnnouncement = (session: Session, tally: Tally, announcement: Announcement): Promise<void> =>
  tally.inTurn(announcement.webhooks, async (webhook) => {
    const heard = heardAt(announcement, webhook);
    tally.judge(heard === undefined ? await missingAt(session, announcement, webhook) : null);
  });

/** The finding on a webhook that did not get an event. Throws Inconclusive where that may have been sent. */
async function missingAt(session: Session, announcement: Announcement, webhook: Listener): Promise<Finding> {
  const { kind, booking, answer, since } = announcement;
  const { name, mailbox } = webhook;
  const later = mailbox.deliveries.filter(({ receivedAt }) => receivedAt >= since);
  const about = later.filter((delivery) => isAbout(delivery, booking));
  const [astray] = about.length === 0 ? mailbox.astray : [];
  if (astray !== undefined) {
    const came = `${astray.method} ${astray.url}`;
    const message = `Deliveries to the ${name} go to another URL than the registered one: ${came}`;
    const cause = 'The URL is lower-cased or encoded anew: paths are case-sensitive (RFC 3986, 6.2.2.1)';
    return findingOn(answer, { message, expected: new URL(mailbox.url).pathname, actual: came, cause });
  }
  const why = about.length === 0 ? await whyUnknown(session, kind, webhook, later) : undefined;
  if (why !== undefined) {
    const message = `Cannot tell whether ${kind} of booking ${booking.id} reached the ${name}: ${why}`;
    throw new Inconclusive({ message, expected: 'a payload that can be read and names its event and its booking' });
  }
  if (await isCutOff(session, mailbox.url)) {
    const message = `Cannot tell whether ${kind} of booking ${booking.id} is sent: no delivery of this run came, nor did what was sent to WEBHOOK_PUBLIC_URL from here`;
    const advice = 'Set WEBHOOK_PUBLIC_URL to a URL that leads to WEBHOOK_LISTEN';
    throw new Inconclusive({ message, advice, needs: { setting: 'WEBHOOK_PUBLIC_URL' } });
  }
  const isOfOther = about.length === 0 && later.some((delivery) => brings(delivery, kind));
  const nothing = isOfOther ? `${kind} came for another record, and nothing` : 'nothing';
  const names = [...new Set(about.flatMap(eventNames))].join(', ') || nothing;
  const message = `${kind} is not sent to the ${name}: ${names} came for booking ${booking.id} within EVENT_WAIT_MS, ${session.settings.EVENT_WAIT_MS} ms`;
  return findingOn(answer, { message, expected: `a delivery of ${kind}`, actual: names });
}

/** Whether nothing came to the receiver, and its public URL does not lead to it. */
const isCutOff = async ({ inbox, settings }: Session, url: string): Promise<boolean> =>
  settings.WEBHOOK_PUBLIC_URL !== undefined &&
  inbox.kind === 'inbox' &&
  inbox.deliveries.length === 0 &&
  !(await isReached(url, settings.TIMEOUT_MS));

/** Why an event that was not heard may have been sent all the same, or need not be sent; undefined: nothing says so. */
async function whyUnknown(
  session: Session,
  kind: EventKind,
  { answer }: Listener,
  later: readonly Received[],
): Promise<string | undefined> {
  const { inbox, ledger } = session;
  const after = await send(session, listing('bookings'));
  if (isServerFailure(after)) {
    return `the deployment no longer answers: a read got ${describeAnswer(after)}`;
  }
  if (later.some(isUnreadable)) {
    return 'some deliveries cannot be read';
  }
  const namesOwn = (delivery: Received): boolean =>
    ledger.all().some(({ id, tag }) => isAbout(delivery, { id: id ?? tag, tag }));
  if (later.some((one) => brings(one, kind) && !namesOwn(one))) {
    return `${kind} came, and no payload names a record of the run, by its id or a value of its body`;
  }
  if (inbox.kind === 'inbox' && inbox.lost > 0) {
    return 'the receiver refused deliveries that were too many or too large to keep';
  }
  // It is not active yet: `"active": false`, `"status": "pending"`.
  const inactive = walk(answer.json).find(({ name, value }) =>
    typeof value === 'string'
      ? /^(status|state)$/i.test(name) && /pending|inactive|unverified|unconfirmed|awaiting|disabled/i.test(value)
      : value === false && /^(is_?)?(active|enabled|verified|confirmed)$/i.test(name),
  );
  return inactive === undefined
    ? undefined
    : `the answer to its registration shows ${inactive.name} ${JSON.stringify(inactive.value)}: its URL may have to be confirmed in a way that the receiver does not know`;
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** How the second attempt at a delivery differs from the first. `usual`: an event whose deliveries all succeeded. */
function redelivery(announcement: Announcement, usual: Announcement | null): unknown {
  const attemptsAt = (one: Announcement): Received[] =>
    one.webhooks[0]?.mailbox.deliveries.filter(announcing(one)) ?? [];
  const attempts = attemptsAt(announcement);
  const failed = attempts.find(({ answered }) => answered === 500);
  const next = failed && attempts.find(({ number }) => number > failed.number);
  if (failed === undefined || next === undefined) {
    return failed ? 'none within EVENT_WAIT_MS' : 'unknown: the delivery that should have failed did not arrive';
  }
  if (usual !== null && attemptsAt(usual).length > 1) {
    return `unknown: ${usual.kind} comes several times, although no delivery failed`;
  }
  const changed = next.headers.filter(([name, value]) => !headerValues(failed, name).includes(value));
  // Only measured: whether a timestamp in whole seconds differs is chance.
  const measured = { 'headers that changed': distinct(changed.map(([name]) => name.toLowerCase())) };
  return { 'same body': next.body.equals(failed.body), measured };
}

/** Whether the webhook that asked for cancellations alone got only those. */
function selectionOf(selective: WebhookArrivals | undefined, booking: Created): string {
  const isSelective = selective !== undefined && !subscribesTo(selective, 'booking.created');
  const got = (kind: EventKind): boolean =>
    isSelective && selective.mailbox.deliveries.some((delivery) => isAbout(delivery, booking, kind));
  if (got('booking.created')) {
    return 'not honoured: a webhook for booking.cancelled got booking.created';
  }
  return got('booking.cancelled')
    ? 'honoured: a webhook for booking.cancelled got that alone'
    : 'unknown: no webhook for booking.cancelled alone could be registered, or it got nothing';
}
