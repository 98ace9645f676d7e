import { walk } from '../../common/json.ts';
import { eventKinds } from '../../contract/events.ts';
import { createTally, judged, type Outcome, observed, type Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Received } from '../../webhooks/inbox/inbox.ts';
import type { Checks } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import type { Entry } from '../session/ledger.ts';
import type { Session } from '../session/session.ts';
import {
  type Announcement,
  allDeliveries,
  bookingAfterRemoval,
  bookingAnnounced,
  cancellationAnnounced,
} from './support/caused-events.ts';
import type { Listener } from './support/listeners.ts';
import { eventOf, payloadOf, shapeOf, tellsOf } from './support/payload.ts';

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
  tally.add(judgeAnnouncement(session, first));
  await judgePart(tally, async () => {
    const { booking, control, listener, since } = await bookingAfterRemoval(session);
    const heard = [{ listener, delivery: control }];
    tally.add(judgeAnnouncement(session, { booking, kind: first.kind, since, answer: booking.answer, heard }));
  });
  return tally.outcome();
}

/** Each webhook that asked for every event is told of the booking. */
function judgeAnnouncement(session: Session, announcement: Announcement): Outcome {
  const tally = createTally();
  for (const { listener, delivery } of announcement.heard) {
    if (delivery !== undefined) {
      tally.judge(null);
    } else {
      judgeMissing(session, tally, announcement, listener);
    }
  }
  return tally.outcome();
}

function judgeMissing(session: Session, tally: Tally, announcement: Announcement, { name, mailbox }: Listener): void {
  const { kind, booking, answer, heard } = announcement;
  const { about, nameless } = cameInstead(announcement, mailbox.deliveries, session.ledger.all());
  if (about.length === 0 && nameless.length > 0) {
    tally.leaveOpen({
      message: `${kind} came ${nameless.length} times to the ${name}, and no payload shows the booking: neither its id ${booking.id} nor a value of its body`,
      expected: 'a payload that tells of which booking it is',
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

/** What came in place of an announcement: deliveries that tell of the booking, and those of the event that tell of nothing. */
export function cameInstead(
  { kind, booking, since }: Pick<Announcement, 'kind' | 'since'> & { readonly booking: { id: string; tag: string } },
  deliveries: readonly Received[],
  records: readonly Pick<Entry, 'id' | 'tag'>[],
): { about: Received[]; nameless: Received[] } {
  const later = deliveries.filter(({ receivedAt }) => receivedAt >= since);
  return {
    about: later.filter((delivery) => tellsOf(delivery, booking)),
    nameless: later.filter(
      (delivery) => eventOf(delivery).kind === kind && tellsOfNothing(delivery, booking.id, records),
    ),
  };
}

/** Whether a delivery tells of nothing that the run made, and of nothing of the same kind: it may tell of any booking. */
function tellsOfNothing(delivery: Received, bookingId: string, records: readonly Pick<Entry, 'id' | 'tag'>[]): boolean {
  if (records.some(({ id, tag }) => tellsOf(delivery, { id: id ?? tag, tag }))) {
    return false;
  }
  const prefix = /^[A-Za-z]+_/.exec(bookingId)?.[0];
  const isOfKind = (value: unknown): boolean =>
    prefix !== undefined && typeof value === 'string' && value.startsWith(prefix);
  return !walk(payloadOf(delivery)).some(({ value }) => isOfKind(value));
}

/** The events that deliveries name, each once. */
function namesOf(deliveries: readonly Received[], none: string): string {
  return [...new Set(deliveries.map((delivery) => eventOf(delivery).name ?? 'no event'))].join(', ') || none;
}

/** Every delivery of the run names a documented event; those that name another are reported by name. */
async function judgeVocabulary(session: Session): Promise<Outcome> {
  const deliveries = await allDeliveries(session);
  const strange = Map.groupBy(
    deliveries.filter((delivery) => eventOf(delivery).kind === null),
    (delivery) => eventOf(delivery).name,
  );
  // Null: the deliveries that name one of the six.
  return judged(null, ...[...strange].map(([name, group]) => strangeName(name, group, deliveries.length)));
}

const strangeName = (name: string | null, group: readonly Received[], all: number): Finding => ({
  message:
    name === null
      ? `${group.length} of ${all} deliveries name no event, in no field and no header`
      : `${group.length} of ${all} deliveries name an event that is not documented: ${name}`,
  expected: eventKinds.join(', '),
  actual: name ?? 'no event',
  place: group.map((delivery) => eventOf(delivery).place).find((place) => place !== null) ?? 'body',
});

async function observePayloads(session: Session): Promise<Outcome> {
  const shapes: Record<string, unknown> = {};
  for (const delivery of await allDeliveries(session)) {
    const payload = payloadOf(delivery);
    shapes[eventOf(delivery).name ?? 'no event'] ??= {
      'named in': eventOf(delivery).place,
      fields: payload === undefined ? 'not JSON' : shapeOf(payload),
    };
  }
  return observed(shapes);
}
