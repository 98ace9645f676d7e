import { counted } from '../../common/words.ts';
import { eventKinds } from '../../contract/events.ts';
import { createTally, type Outcome, observed } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { type EventReading, eventsIn } from '../../webhooks/events/read.ts';
import type { Received } from '../../webhooks/inbox/inbox.ts';
import type { Checks } from '../engine/check.ts';
import { judgePart } from '../engine/parts.ts';
import type { Session } from '../session/session.ts';
import { allDeliveries } from './support/events/arrivals.ts';
import { bookingAnnounced, cancellationAnnounced } from './support/events/caused-events.ts';
import { judgeAnnouncement } from './support/events/missing-events.ts';
import { isUnreadable, shapeOf } from './support/events/payload.ts';
import { bookingAfterRemoval } from './support/events/webhook-removal.ts';

/** Events: what is announced, and under which name. */
export const events: Checks = {
  'workspace.events.booking-created': judgeBookingCreated,
  'workspace.events.booking-cancelled': async (session) =>
    judgeAnnouncement(session, await cancellationAnnounced(session)),
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
