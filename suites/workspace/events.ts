import { type Found, walk } from '../../common/json.ts';
import { counted } from '../../common/words.ts';
import { type EventKind, eventKinds } from '../../contract/events.ts';
import type { Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { eventsIn } from '../../webhooks/events/read.ts';
import type { Received } from '../../webhooks/inbox/inbox.ts';
import { type Checks, judgePart } from '../engine/check.ts';
import { describeAnswer, findingOn } from '../engine/expect.ts';
import { isServerFailure } from '../session/call.ts';
import { type Session, send } from '../session/session.ts';
import { brings, eventNames, isAbout, isUnreadable, shapeOf } from './events/payload.ts';
import type { Listener } from './events/subscribe.ts';
import {
  type Announcement,
  allDeliveries,
  bookingAfterRemoval,
  cancellationAnnouncement,
  creationAnnouncement,
  heardAt,
} from './events/webhook-story.ts';
import { listing } from './kinds.ts';

/** Events: what is announced, and under which name. */
export const events: Checks = {
  'workspace.events.booking-created': judgeBookingCreated,
  'workspace.events.booking-cancelled': async (session, tally) =>
    judgeAnnouncement(session, tally, await cancellationAnnouncement(session)),
  'workspace.events.vocabulary': judgeVocabulary,
  'workspace.events.payload': observePayloads,
};

/**
 * A booking is announced while all webhooks work, and another one after a webhook was removed. That one is the last of
 * the run: it shows that each booking is announced at once, and not when the next one comes.
 */
async function judgeBookingCreated(session: Session, tally: Tally): Promise<void> {
  await judgeAnnouncement(session, tally, await creationAnnouncement(session));
  await judgePart(tally, async () => judgeAnnouncement(session, tally, await bookingAfterRemoval(session)));
}

/** Every delivery of the run names documented events alone. Undocumented names get one finding each. */
async function judgeVocabulary(session: Session, tally: Tally): Promise<void> {
  const deliveries = await allDeliveries(session);
  const unreadable = deliveries.filter(isUnreadable).length;
  if (unreadable > 0) {
    const message = `${unreadable} of ${counted(deliveries.length, 'delivery')} cannot be read, so their events are unknown`;
    tally.leaveOpen({ message, expected: 'JSON, or a form, that names its event' });
  }
  const events = deliveries.flatMap(eventsIn).filter(({ isReadable }) => isReadable);
  const undocumented = Map.groupBy(
    events.filter(({ kind }) => kind === null),
    ({ name }) => name,
  );
  for (const [name, group] of undocumented) {
    const share = `${group.length} of ${counted(events.length, 'event')}`;
    tally.judge({
      message:
        name === null ? `${share} have no name in any field or header` : `Undocumented event name ${name}, in ${share}`,
      expected: eventKinds.join(', '),
      actual: name ?? 'no event',
      place: group[0]?.place ?? 'body',
    });
  }
  tally.judge(...(events.length > 0 ? [null] : []));
}

async function observePayloads(session: Session): Promise<unknown> {
  const shapes: Record<string, unknown> = {};
  for (const { name, place, payload, isReadable } of (await allDeliveries(session)).flatMap(eventsIn)) {
    shapes[name ?? 'no event'] ??= { 'named in': place, fields: isReadable ? shapeOf(payload) : 'unreadable' };
  }
  return shapes;
}

/** Each webhook that asked for the event gets it. */
async function judgeAnnouncement(session: Session, tally: Tally, announcement: Announcement): Promise<void> {
  for (const webhook of announcement.webhooks) {
    if (heardAt(announcement, webhook) !== undefined) {
      tally.judge(null);
    } else {
      await judgeMissing(session, tally, announcement, webhook);
    }
  }
}

async function judgeMissing(
  session: Session,
  tally: Tally,
  announcement: Announcement,
  listener: Listener,
): Promise<void> {
  const { kind, booking, answer, since } = announcement;
  const { name, mailbox } = listener;
  const later = mailbox.deliveries.filter(({ receivedAt }) => receivedAt >= since);
  const about = later.filter((delivery) => isAbout(delivery, booking));
  const [astray] = about.length === 0 ? mailbox.astray : [];
  const isSilent = about.length === 0 && astray === undefined;
  const why = isSilent ? await whyUnknown(session, kind, listener, later) : undefined;
  if (why !== undefined) {
    const message = `Cannot tell whether ${kind} of booking ${booking.id} reached the ${name}: ${why}`;
    tally.leaveOpen({ message, expected: 'a payload that can be read and names its event and its booking' });
    return;
  }
  if (astray !== undefined) {
    const came = `${astray.method} ${astray.url}`;
    const message = `Deliveries to the ${name} go to another URL than the registered one: ${came}`;
    const cause = 'The URL is lower-cased or encoded anew: paths are case-sensitive (RFC 3986, 6.2.2.1)';
    tally.judge(findingOn(answer, { message, expected: new URL(mailbox.url).pathname, actual: came, cause }));
    return;
  }
  const names = [...new Set(about.flatMap(eventNames))].join(', ') || 'nothing';
  const message = `${kind} is not sent to the ${name}: ${names} came for booking ${booking.id} within ${session.settings.EVENT_WAIT_MS} ms`;
  tally.judge(
    findingOn(answer, { message, expected: `a delivery of ${kind}`, actual: names, ...causeOfSilence(session) }),
  );
}

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
  const inactive = walk(answer.json).find(saysInactive);
  return inactive === undefined
    ? undefined
    : `the answer to its registration shows ${inactive.name} ${JSON.stringify(inactive.value)}: its URL may have to be confirmed in a way that the receiver does not know`;
}

/** Whether a field says that a webhook is not active yet: `"active": false`, `"status": "pending"`. */
const saysInactive = ({ name, value }: Found): boolean =>
  (value === false && /^(is_?)?(active|enabled|verified|confirmed)$/i.test(name)) ||
  (typeof value === 'string' &&
    /^(status|state)$/i.test(name) &&
    /pending|inactive|unverified|unconfirmed|awaiting|disabled/i.test(value));

/** The likely cause where nothing at all reached the receiver: the URL that the user gave for it may be wrong. */
function causeOfSilence({ inbox, settings }: Session): Pick<Finding, 'cause'> {
  const isSilent = inbox.kind === 'inbox' && inbox.deliveries.length === 0;
  return isSilent && settings.WEBHOOK_PUBLIC_URL !== undefined
    ? { cause: `No delivery of this run reached its receiver: WEBHOOK_PUBLIC_URL may not lead to WEBHOOK_LISTEN` }
    : {};
}
