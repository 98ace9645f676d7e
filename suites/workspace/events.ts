import { counted, times } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { eventKinds } from '../../contract/events.ts';
import { createTally, type Outcome, observed, type Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import { type EventReading, eventsIn } from '../../webhooks/events/read.ts';
import type { Received } from '../../webhooks/inbox/inbox.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer, findingOn, undecided } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import { isAway } from '../session/accidents.ts';
import type { Entry } from '../session/ledger.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import {
  type Announcement,
  allDeliveries,
  bookingAfterRemoval,
  bookingAnnounced,
  cancellationAnnounced,
} from './support/caused-events.ts';
import { deleting, listing } from './support/kinds.ts';
import type { Listener } from './support/listeners.ts';
import { isAbout, isUnreadable, namedEvents, shapeOf, valuesIn } from './support/payload.ts';
import { takesOthers } from './support/taken-others.ts';

/** Events: what is announced, and under which name. */
export const events: Checks = {
  'workspace.events.booking-created': judgeBookingCreated,
  'workspace.events.booking-cancelled': judgeBookingCancelled,
  'workspace.events.vocabulary': judgeVocabulary,
  'workspace.events.payload': observePayloads,
};

/**
 * A booking is announced while everything works, and another one after a webhook was removed: the last booking of a run
 * shows whether each is announced by itself, and not by the one that follows.
 */
async function judgeBookingCreated(session: Session): Promise<Outcome> {
  const first = await bookingAnnounced(session);
  const tally = createTally();
  tally.add(await judgeAnnouncement(session, first));
  await judgePart(tally, async () => {
    const { booking, control, listener, since } = await bookingAfterRemoval(session);
    const heard = [{ listener, delivery: control }];
    tally.add(await judgeAnnouncement(session, { booking, kind: first.kind, since, answer: booking.answer, heard }));
  });
  return tally.outcome();
}

/** A booking that another cancellation took with it may have been announced then. */
async function judgeBookingCancelled(session: Session): Promise<Outcome> {
  const announcement = await cancellationAnnounced(session);
  const isMissed = announcement.heard.some(({ delivery }) => delivery === undefined);
  if (isMissed && (await takesOthers(session, 'bookings'))) {
    const message = 'A missing event proves nothing: cancelling one booking cancels others too';
    throw undecided(announcement.answer, message, endpointOf(deleting('bookings')).clause);
  }
  return judgeAnnouncement(session, announcement);
}

/** Each webhook that asked for every event gets the one about the booking. */
async function judgeAnnouncement(session: Session, announcement: Announcement): Promise<Outcome> {
  const tally = createTally();
  if (announcement.heard.some(({ delivery }) => delivery === undefined)) {
    await assertAnswering(session);
  }
  for (const { listener, delivery } of announcement.heard) {
    if (delivery !== undefined) {
      tally.judge(null);
    } else {
      judgeMissing(session, tally, announcement, listener);
    }
  }
  return tally.outcome();
}

/** The silence of a deployment that is gone says nothing. Throws Inconclusive. */
async function assertAnswering(session: Session): Promise<void> {
  const answer = await send(session, listing('bookings'));
  if (answer.status === 0 || isAway(answer.status)) {
    const message = `A missing event proves nothing: the deployment no longer answers (${describeAnswer(answer)})`;
    throw new Inconclusive(findingOn(answer, { message }));
  }
}

function judgeMissing(session: Session, tally: Tally, announcement: Announcement, { name, mailbox }: Listener): void {
  const { kind, booking, answer, heard } = announcement;
  const { about, nameless, unreadable } = cameInstead(announcement, mailbox.deliveries, session.ledger.all());
  if (about.length === 0 && unreadable.length > 0) {
    tally.leaveOpen({
      message: `Whether ${kind} of booking ${booking.id} came to the ${name} is unknown: ${counted(unreadable.length, 'delivery')} cannot be read`,
      expected: 'JSON, or a form, that names its event',
    });
    return;
  }
  if (about.length === 0 && nameless.length > 0) {
    tally.leaveOpen({
      message: `${kind} came ${times(nameless.length)} to the ${name}, and no payload names the booking: neither its id ${booking.id} nor a value of its body`,
      expected: 'a payload that names its booking',
    });
    return;
  }
  const wasHeard = heard.some(({ delivery }) => delivery !== undefined);
  const elsewhere = wasHeard ? ', and another webhook, registered alike, was sent it' : '';
  tally.judge(
    findingOn(answer, {
      message: `${kind} is not sent to the ${name}: ${namesOf(about, 'nothing')} came for booking ${booking.id} within ${session.settings.EVENT_WAIT_MS} ms${elsewhere}`,
      expected: `a delivery of ${kind}`,
      actual: namesOf(about, 'none'),
    }),
  );
}

/** What came in place of an announcement: deliveries about the booking, those of the event that name nothing of the run, and those that cannot be read. */
function cameInstead(
  { kind, booking, since }: Pick<Announcement, 'kind' | 'since'> & { readonly booking: { id: string; tag: string } },
  deliveries: readonly Received[],
  records: readonly Pick<Entry, 'id' | 'tag'>[],
): { about: Received[]; nameless: Received[]; unreadable: Received[] } {
  const later = deliveries.filter(({ receivedAt }) => receivedAt >= since);
  return {
    about: later.filter((delivery) => isAbout(delivery, booking)),
    nameless: later.filter(
      (delivery) =>
        namedEvents(delivery).some((event) => event.kind === kind) && namesNothingOfRun(delivery, booking.id, records),
    ),
    unreadable: later.filter(isUnreadable),
  };
}

/** Whether a delivery names nothing that the run made, and nothing of the same kind: it may be about any booking. */
function namesNothingOfRun(
  delivery: Received,
  bookingId: string,
  records: readonly Pick<Entry, 'id' | 'tag'>[],
): boolean {
  if (records.some(({ id, tag }) => isAbout(delivery, { id: id ?? tag, tag }))) {
    return false;
  }
  const prefix = /^[A-Za-z]+_/.exec(bookingId)?.[0];
  const isOfKind = (value: unknown): boolean =>
    prefix !== undefined && typeof value === 'string' && value.startsWith(prefix);
  return !valuesIn(delivery).some(isOfKind);
}

/** The events that deliveries name, each once. */
function namesOf(deliveries: readonly Received[], none: string): string {
  const names = deliveries.flatMap((delivery) => {
    const events = namedEvents(delivery);
    return events.length === 0 ? ['no event'] : events.map(({ name }) => name);
  });
  return [...new Set(names)].join(', ') || none;
}

/** Every delivery of the run names documented events alone; those that name another are reported by name. */
async function judgeVocabulary(session: Session): Promise<Outcome> {
  const deliveries = await allDeliveries(session);
  const tally = createTally();
  const unreadable = deliveries.filter(isUnreadable).length;
  if (unreadable > 0) {
    const message = `What events came is not all known: ${unreadable} of ${counted(deliveries.length, 'delivery')} cannot be read`;
    tally.leaveOpen({ message, expected: 'JSON, or a form, that names its event' });
  }
  const read = deliveries.flatMap(namingsOf);
  const strange = Map.groupBy(
    read.filter(({ isDocumented }) => !isDocumented),
    ({ name }) => name,
  );
  for (const [name, group] of strange) {
    tally.judge(strangeName(name, `${group.length} of ${counted(read.length, 'event')}`, group[0]?.place ?? 'body'));
  }
  // What names one of the six.
  tally.judge(...(read.length > 0 ? [null] : []));
  return tally.outcome();
}

/** How a delivery names an event; its payload is left out, since those of a flood of deliveries fill the memory. */
interface Naming {
  /** Null where nothing names it. */
  readonly name: string | null;
  readonly isDocumented: boolean;
  readonly place: string;
}

const namingOf = (reading: EventReading): Naming =>
  reading.found === 'event'
    ? { name: reading.name, isDocumented: reading.kind !== null, place: reading.place }
    : { name: null, isDocumented: false, place: 'body' };

const namingsOf = (delivery: Received): Naming[] =>
  eventsIn(delivery)
    .filter(({ found }) => found !== 'unreadable')
    .map(namingOf);

const strangeName = (name: string | null, many: string, place: string): Finding => ({
  message:
    name === null ? `No name in any field or header: ${many}` : `Event name is not documented: ${name}, in ${many}`,
  expected: eventKinds.join(', '),
  actual: name ?? 'no event',
  place,
});

async function observePayloads(session: Session): Promise<Outcome> {
  const shapes: Record<string, unknown> = {};
  for (const delivery of await allDeliveries(session)) {
    for (const reading of eventsIn(delivery)) {
      const name = reading.found === 'event' ? reading.name : 'no event';
      shapes[name] ??= {
        'named in': reading.found === 'event' ? reading.place : null,
        fields: reading.found === 'unreadable' ? 'unreadable' : shapeOf(reading.payload),
      };
    }
  }
  return observed(shapes);
}
