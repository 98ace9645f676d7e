import { eventKinds } from '../../contract/events.ts';
import type { Checks } from '../kit/engine.ts';
import { findingOn } from '../kit/expect.ts';
import type { Received } from '../kit/inbox.ts';
import { createTally, observed, type Outcome, type Tally } from '../kit/outcome.ts';
import { walk } from '../kit/search.ts';
import type { Delivery } from '../kit/signature/delivery.ts';
import type { Finding } from '../kit/verdict.ts';
import { aftermath, announced, arrivals, calledOff, noDelivery, type Announcement, type Reached } from './experiments.ts';
import { eventOf, payloadOf, shapeOf, tellsOf } from './payload.ts';
import { partly } from '../kit/partly.ts';
import type { WorkspaceSession } from './session.ts';

/** Each webhook that asked for every event is told of the booking. */
function judgeAnnounced(session: WorkspaceSession, announcement: Announcement): Outcome {
  const tally = createTally();
  for (const { hook, delivery } of announcement.sightings) {
    if (delivery !== undefined) tally.judge(null);
    else judgeMissing(session, tally, announcement, hook);
  }
  return tally.outcome();
}

/** Whether a delivery tells of nothing that the run made, and of nothing of the same kind: it may tell of any booking. */
function tellsOfNothing(session: WorkspaceSession, delivery: Delivery, { id }: Announcement['booking']): boolean {
  if (session.made.some(({ id: other, tag }) => tellsOf(delivery, { id: other ?? tag, tag }))) return false;
  const prefix = /^[A-Za-z]+_/.exec(id)?.[0];
  return prefix === undefined || !walk(payloadOf(delivery)).some(({ value }) => typeof value === 'string' && value.startsWith(prefix));
}

function judgeMissing(session: WorkspaceSession, tally: Tally, announcement: Announcement, { name, mailbox }: Reached): void {
  const { kind, booking, since, answer, sightings } = announcement;
  const later = mailbox.deliveries.filter(({ receivedAt }) => receivedAt >= since);
  const about = later.filter((delivery) => tellsOf(delivery, booking));
  const nameless = later.filter((delivery) => eventOf(delivery).kind === kind && tellsOfNothing(session, delivery, booking));
  const heard = sightings.some(({ delivery }) => delivery !== undefined);
  if (about.length === 0 && nameless.length > 0 && !heard) {
    tally.leaveOpen({
      message: `${kind} came ${nameless.length} times to the ${name}, and no payload shows the booking: neither its id ${booking.id} nor a value of its body`,
      expected: 'a payload that tells of which booking it is',
    });
    return;
  }
  const names = [...new Set(about.map((delivery) => eventOf(delivery).name ?? 'no event'))];
  tally.judge(findingOn(answer, {
    message: `${kind} is not sent to the ${name}: ${names.length === 0 ? 'nothing' : names.join(', ')} came for booking ${booking.id} within ${session.settings.EVENT_WAIT_MS} ms`,
    expected: `a delivery of ${kind}`, actual: names.length === 0 ? 'none' : names.join(', '),
    ...(heard ? { cause: 'Another webhook, registered alike, was sent it' } : {}),
  }));
}

/** Every delivery of the run names a documented event; those that name another are reported by name. */
async function judgeVocabulary(session: WorkspaceSession): Promise<Outcome> {
  const deliveries = (await arrivals(session)).flatMap((one) => one.deliveries);
  if (deliveries.length === 0) throw noDelivery();
  const tally = createTally();
  const strange = Map.groupBy(deliveries.filter((delivery) => eventOf(delivery).kind === null), (delivery) => eventOf(delivery).name);
  for (let good = deliveries.length - [...strange.values()].flat().length; good > 0; good -= 1) tally.judge(null);
  for (const [name, group] of strange) tally.judge(strangeName(name, group, deliveries.length));
  return tally.outcome();
}

function strangeName(name: string | null, group: readonly Received[], all: number): Finding {
  const place = group[0] === undefined ? null : eventOf(group[0]).place;
  return {
    message: name === null ? `${group.length} of ${all} deliveries name no event, in no field and no header` : `${group.length} of ${all} deliveries name an event that is not documented: ${name}`,
    expected: eventKinds.join(', '), actual: name ?? 'no event', ...(place === null ? {} : { place }),
  };
}

async function observePayloads(session: WorkspaceSession): Promise<Outcome> {
  const deliveries = (await arrivals(session)).flatMap((one) => one.deliveries);
  if (deliveries.length === 0) throw noDelivery();
  const byName = Map.groupBy(deliveries, (delivery) => eventOf(delivery).name ?? 'no event');
  return observed(Object.fromEntries([...byName].map(([name, [first]]) => [name, first === undefined ? null : {
    'named in': eventOf(first).place, fields: payloadOf(first) === undefined ? 'not JSON' : shapeOf(payloadOf(first)),
  }])));
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
    tally.add(judgeAnnounced(session, { booking, kind: first.kind, since, answer: booking.answer, sightings: [{ hook: listening, delivery: control }] }));
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
