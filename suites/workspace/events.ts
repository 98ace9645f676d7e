import { counted } from '../../common/words.ts';
import { eventKinds } from '../../contract/events.ts';
import { createTally, type Outcome, observed } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { eventsIn } from '../../webhooks/events/read.ts';
import type { Received } from '../../webhooks/inbox/mailbox.ts';
import type { Checks } from '../engine/check.ts';
import { judgePart } from '../engine/parts.ts';
import type { Session } from '../session/session.ts';
import { allDeliveries } from './events/arrivals.ts';
import { judgeAnnouncement } from './events/missing-events.ts';
import { isUnreadable, shapeOf } from './events/payload.ts';
import { bookingAfterRemoval, cancellationAnnouncement, creationAnnouncement } from './events/story.ts';

/** Events: what is announced, and under which name. */
export const events: Checks = {
  'workspace.events.booking-created': judgeBookingCreated,
  'workspace.events.booking-cancelled': async (session) =>
    judgeAnnouncement(session, await cancellationAnnouncement(session)),
  'workspace.events.vocabulary': judgeVocabulary,
  'workspace.events.payload': observePayloads,
};

/**
 * A booking is announced while all webhooks work, and another one after a webhook was removed. That one is the last of
 * the run: it shows that each booking is announced at once, and not when the next one comes.
 */
async function judgeBookingCreated(session: Session): Promise<Outcome> {
  const first = await creationAnnouncement(session);
  const tally = createTally();
  tally.add(await judgeAnnouncement(session, first));
  await judgePart(tally, async () => {
    const { booking, control, listener, since } = await bookingAfterRemoval(session);
    const heard = [{ listener, delivery: control }];
    tally.add(await judgeAnnouncement(session, { booking, kind: first.kind, since, answer: booking.answer, heard }));
  });
  return tally.outcome();
}

/** Every delivery of the run names documented events alone. Undocumented names get one finding each. */
async function judgeVocabulary(session: Session): Promise<Outcome> {
  const deliveries = await allDeliveries(session);
  const tally = createTally();
  const unreadable = deliveries.filter(isUnreadable).length;
  if (unreadable > 0) {
    const message = `${unreadable} of ${counted(deliveries.length, 'delivery')} cannot be read, so their events are unknown`;
    tally.leaveOpen({ message, expected: 'JSON, or a form, that names its event' });
  }
  const names = deliveries.flatMap(eventNamesIn);
  const undocumented = Map.groupBy(
    names.filter(({ isDocumented }) => !isDocumented),
    ({ name }) => name,
  );
  for (const [name, group] of undocumented) {
    tally.judge(
      undocumentedName(name, `${group.length} of ${counted(names.length, 'event')}`, group[0]?.place ?? 'body'),
    );
  }
  if (names.length > 0) {
    tally.judge(null);
  }
  return tally.outcome();
}

/** How a delivery names an event, without the payload: those of many deliveries would fill the memory. */
interface EventName {
  /** null: nothing names the event. */
  readonly name: string | null;
  readonly isDocumented: boolean;
  readonly place: string;
}

const eventNamesIn = (delivery: Received): EventName[] =>
  eventsIn(delivery).flatMap((reading) => {
    if (reading.found === 'unreadable') {
      return [];
    }
    return reading.found === 'event'
      ? { name: reading.name, isDocumented: reading.kind !== null, place: reading.place }
      : { name: null, isDocumented: false, place: 'body' };
  });

const undocumentedName = (name: string | null, share: string, place: string): Finding => ({
  message:
    name === null ? `${share} have no name in any field or header` : `Undocumented event name ${name}, in ${share}`,
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
