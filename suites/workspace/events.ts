import { walk } from '../../common/json.ts';
import { eventKinds } from '../../contract/events.ts';
import { createTally, judged, type Outcome, observed, type Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Received } from '../../webhooks/inbox/inbox.ts';
import type { Delivery } from '../../webhooks/signature/delivery.ts';
import type { Checks } from '../engine/engine.ts';
import { findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import {
  type Announcement,
  aftermath,
  announced,
  arrivals,
  calledOff,
  noDelivery,
  type Reached,
} from './experiments.ts';
import { eventOf, payloadOf, shapeOf, tellsOf } from './payload.ts';
import type { WorkspaceSession } from './session.ts';

/** Each webhook that asked for every event is told of the booking. */
function judgeAnnounced(session: WorkspaceSession, announcement: Announcement): Outcome {
  const tally = createTally();
  for (const { hook, delivery } of announcement.sightings) {
    if (delivery !== undefined) {
      tally.judge(null);
    } else {
      judgeMissing(session, tally, announcement, hook);
    }
  }
  return tally.outcome();
}

/** Whether a delivery tells of nothing that the run made, and of nothing of the same kind: it may tell of any booking. */
function tellsOfNothing(
  session: Pick<WorkspaceSession, 'made'>,
  delivery: Delivery,
  { id }: Announcement['booking'],
): boolean {
  if (session.made.some(({ id: other, tag }) => tellsOf(delivery, { id: other ?? tag, tag }))) {
    return false;
  }
  const prefix = /^[A-Za-z]+_/.exec(id)?.[0];
  return (
    prefix === undefined ||
    !walk(payloadOf(delivery)).some(({ value }) => typeof value === 'string' && value.startsWith(prefix))
  );
}

/** What came in place of an announcement: deliveries that tell of the booking, and those of the event that tell of nothing. */
export function inPlaceOf(
  { kind, booking, since }: Pick<Announcement, 'kind' | 'booking' | 'since'>,
  deliveries: readonly Received[],
  session: Pick<WorkspaceSession, 'made'>,
): { about: Received[]; nameless: Received[] } {
  const later = deliveries.filter(({ receivedAt }) => receivedAt >= since);
  return {
    about: later.filter((delivery) => tellsOf(delivery, booking)),
    nameless: later.filter((delivery) => eventOf(delivery).kind === kind && tellsOfNothing(session, delivery, booking)),
  };
}

function judgeMissing(
  session: WorkspaceSession,
  tally: Tally,
  announcement: Announcement,
  { name, mailbox }: Reached,
): void {
  const { kind, booking, answer, sightings } = announcement;
  const { about, nameless } = inPlaceOf(announcement, mailbox.deliveries, session);
  if (about.length === 0 && nameless.length > 0) {
    tally.leaveOpen({
      message: `${kind} came ${nameless.length} times to the ${name}, and no payload shows the booking: neither its id ${booking.id} nor a value of its body`,
      expected: 'a payload that tells of which booking it is',
    });
    return;
  }
  tally.judge(
    findingOn(answer, {
      message: `${kind} is not sent to the ${name}: ${namesOf(about, 'nothing')} came for booking ${booking.id} within ${session.settings.EVENT_WAIT_MS} ms${
        sightings.some(({ delivery }) => delivery !== undefined)
          ? ', and another webhook, registered alike, was sent it'
          : ''
      }`,
      expected: `a delivery of ${kind}`,
      actual: namesOf(about, 'none'),
    }),
  );
}

/** The events that deliveries name, each once. */
function namesOf(deliveries: readonly Received[], none: string): string {
  return [...new Set(deliveries.map((delivery) => eventOf(delivery).name ?? 'no event'))].join(', ') || none;
}

/** Every delivery of the run names a documented event; those that name another are reported by name. */
async function judgeVocabulary(session: WorkspaceSession): Promise<Outcome> {
  const deliveries = (await arrivals(session)).flatMap((one) => one.deliveries);
  if (deliveries.length === 0) {
    throw noDelivery();
  }
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

async function observePayloads(session: WorkspaceSession): Promise<Outcome> {
  const deliveries = (await arrivals(session)).flatMap((one) => one.deliveries);
  if (deliveries.length === 0) {
    throw noDelivery();
  }
  const shapes: Record<string, unknown> = {};
  for (const delivery of deliveries) {
    const payload = payloadOf(delivery);
    shapes[eventOf(delivery).name ?? 'no event'] ??= {
      'named in': eventOf(delivery).place,
      fields: payload === undefined ? 'not JSON' : shapeOf(payload),
    };
  }
  return observed(shapes);
}

/**
 * A booking is announced while everything works, and another one after a webhook was removed: the last booking of a run
 * tells whether each is announced by itself, and not by the one that follows.
 */
async function judgeCreated(session: WorkspaceSession): Promise<Outcome> {
  const first = await announced(session);
  const tally = createTally();
  tally.add(judgeAnnounced(session, first));
  await partly(tally, async () => {
    const { booking, control, listening, since } = await aftermath(session);
    tally.add(
      judgeAnnounced(session, {
        booking,
        kind: first.kind,
        since,
        answer: booking.answer,
        sightings: [{ hook: listening, delivery: control }],
      }),
    );
  });
  return tally.outcome();
}

/** Events: what is announced, and under which name. */
export const events: Checks<WorkspaceSession> = {
  'workspace.events.booking-created': judgeCreated,
  'workspace.events.booking-cancelled': async (session) => judgeAnnounced(session, await calledOff(session)),
  'workspace.events.vocabulary': judgeVocabulary,
  'workspace.events.payload': observePayloads,
};
