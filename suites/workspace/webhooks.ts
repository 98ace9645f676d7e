import { eventKinds } from '../../contract/events.ts';
import { createTally, judged, type Outcome, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Received } from '../../webhooks/inbox/inbox.ts';
import { headerValues } from '../../webhooks/signature/delivery.ts';
import type { Checks } from '../engine/engine.ts';
import { findingOn } from '../engine/expect.ts';
import { listing } from './endpoints.ts';
import {
  type Aftermath,
  type Announcement,
  aftermath,
  announced,
  arrivals,
  calledOff,
  listedHook,
  noDelivery,
  type Reached,
  removedHook,
} from './experiments.ts';
import { asksFor, hook, hookNames } from './hooks.ts';
import { lookFor, untilShown } from './lists.ts';
import { eventOf, tellsOf } from './payload.ts';
import { type Made, made, succeeded } from './records.ts';
import { isShown, judgeCreated, judgeListed, notRemoved } from './records-judged.ts';
import type { WorkspaceSession } from './session.ts';

async function judgeRemoved(session: WorkspaceSession): Promise<Outcome> {
  const { record, answer, sighting } = await removedHook(session);
  const tally = createTally();
  tally.judge(notRemoved(answer, 'Webhook is not removed'));
  if (!succeeded(answer)) {
    return tally.outcome();
  }
  if (isShown(sighting, record)) {
    tally.judge(
      findingOn(sighting.last, {
        message: `Removed webhook is still listed: ${record.id} in ${listing('webhooks').id}`,
        expected: 'absent',
        actual: 'listed',
        place: 'body',
      }),
    );
    return tally.outcome();
  }
  // A list that never showed it cannot show that it is gone.
  const first = made((await hook(session, hookNames.first)).attempt);
  if (!isShown(await listedHook(session), first)) {
    tally.leaveOpen(
      findingOn(sighting.answers[0], {
        message: 'Whether a removed webhook is listed cannot be told: the list shows no registered one',
        blames: 'workspace.webhooks.list',
      }),
    );
  } else if (first.id !== record.id) {
    tally.judge(await lostWith(session, first, record));
  }
  return tally.outcome();
}

/** A removal takes one webhook off the list, and leaves the others there. */
async function lostWith(session: WorkspaceSession, first: Made, removed: Made): Promise<Finding | null> {
  const sighting = await untilShown(
    session,
    () => lookFor(session, 'webhooks', first),
    (one) => isShown(one, first),
  );
  return isShown(sighting, first) || !sighting.complete || !succeeded(sighting.answers[0])
    ? null
    : findingOn(sighting.answers[0], {
        message: `Removing one webhook takes another off the list: ${first.id} is gone since ${removed.id} was removed`,
        expected: 'one webhook removed',
        actual: 'another one too',
        place: 'body',
      });
}

async function judgeSilence(session: WorkspaceSession): Promise<Outcome> {
  const { sightings } = await announced(session);
  const { control, strays, removed, booking } = await aftermath(session);
  const stray = strays[0];
  if (stray !== undefined) {
    return judged({
      message: `Removed webhook is sent ${eventOf(stray).name ?? 'an event'} of booking ${booking.id}, which was made after its removal`,
      expected: 'no delivery',
      actual: `${strays.length} delivered`,
      place: removed.name,
    });
  }
  const heard = sightings.find(({ hook: one }) => one.url === removed.url)?.delivery;
  if (heard === undefined || control === undefined) {
    throw new Inconclusive({
      message: `Silence proves nothing: ${heard === undefined ? 'the removed webhook got no event while it was registered' : 'the webhook that is still registered got no event either'}`,
      blames: 'workspace.events.booking-created',
    });
  }
  return judged(null);
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** How events travel, where the document is silent. */
async function observeDelivery(session: WorkspaceSession): Promise<Outcome> {
  const hooks = await arrivals(session);
  const all = hooks.flatMap(({ deliveries }) => deliveries);
  if (all.length === 0) {
    throw noDelivery();
  }
  const created = await announced(session).catch(() => undefined);
  const cancelled = await calledOff(session).catch(() => undefined);
  const after = await aftermath(session).catch(() => undefined);
  return observed({
    method: distinct(all.map(({ method }) => method)),
    'content type': distinct(all.map((delivery) => headerValues(delivery, 'content-type').join(', ') || 'none')),
    'times each event comes': created?.sightings.map(timesOf)[0] ?? null,
    'redelivery after a 500': after === undefined ? null : redelivery(after),
    order: orderOf(created?.sightings[0]?.delivery, cancelled?.sightings[0]?.delivery),
    selection:
      created === undefined
        ? null
        : selectionOf(
            hooks.find(({ name }) => name === hookNames.selective),
            created.booking,
          ),
    'without a selection':
      created === undefined
        ? null
        : withoutSelection(
            hooks.find(({ name }) => name === hookNames.unselective),
            created.booking,
          ),
    handshakes: distinct(hooks.flatMap(({ mailbox }) => mailbox.handshakes.map(({ name }) => name))),
  });
}

const timesOf = ({ hook: one, delivery }: Announcement['sightings'][number]): number | null =>
  delivery === undefined ? null : one.mailbox.deliveries.filter(({ body }) => body.equals(delivery.body)).length;

/** The second attempt beside the first: which of body and headers are the same. */
function redelivery({ listening, booking }: Aftermath): unknown {
  const attempts = listening.mailbox.deliveries.filter(
    (delivery) => tellsOf(delivery, booking) && eventOf(delivery).kind === 'booking.created',
  );
  const failed = attempts.find(({ answered }) => answered === 500);
  if (failed === undefined) {
    return 'not told: the delivery that was to fail did not come';
  }
  const next = attempts.find(({ number }) => number > failed.number);
  if (next === undefined) {
    return 'none within EVENT_WAIT_MS';
  }
  const changed = next.headers
    .filter(([name, value]) => !headerValues(failed, name).includes(value))
    .map(([name]) => name.toLowerCase());
  return { 'same body': next.body.equals(failed.body), 'headers that changed': distinct(changed) };
}

function orderOf(created: Received | undefined, cancelled: Received | undefined): string | null {
  if (created === undefined || cancelled === undefined) {
    return null;
  }
  return created.number < cancelled.number
    ? 'booking.created came before booking.cancelled'
    : 'booking.cancelled came before booking.created';
}

/** Whether the webhook that asked for cancellations alone was sent them alone. */
function selectionOf(selective: Reached | undefined, booking: { id: string; tag: string }): string {
  if (selective === undefined) {
    return 'not told: the webhook for one event could not be registered';
  }
  if (asksFor(selective, 'booking.created')) {
    return 'not told: the body that was taken asks for no single event';
  }
  const kinds = kindsOf(selective, booking);
  if (kinds.includes('booking.created')) {
    return 'not honoured: a webhook for booking.cancelled got booking.created';
  }
  return kinds.includes('booking.cancelled')
    ? 'honoured: a webhook for booking.cancelled got that alone'
    : 'not told: that webhook got nothing';
}

/** What a webhook got that asked for no event by name. */
function withoutSelection(hook: Reached | undefined, booking: { id: string; tag: string }): string {
  if (hook === undefined) {
    return 'refused';
  }
  if (eventKinds.some((kind) => !asksFor(hook, kind))) {
    return 'not told: the body that was taken names events';
  }
  const kinds = kindsOf(hook, booking);
  return kinds.length === 0
    ? 'no event comes'
    : `${distinct(kinds.map((kind) => kind ?? 'an undocumented event')).join(', ')} come`;
}

const kindsOf = (hook: Reached, booking: { id: string; tag: string }): (string | null)[] =>
  hook.mailbox.deliveries.filter((delivery) => tellsOf(delivery, booking)).map((delivery) => eventOf(delivery).kind);

/** Webhooks: register, list, remove, and how they are delivered. */
export const webhooks: Checks<WorkspaceSession> = {
  'workspace.webhooks.register': async (session) => judgeCreated((await hook(session, hookNames.first)).attempt),
  'workspace.webhooks.list': (session) =>
    judgeListed(session, 'webhooks', async () => (await hook(session, hookNames.first)).attempt),
  'workspace.webhooks.remove': judgeRemoved,
  'workspace.webhooks.silent-after-remove': judgeSilence,
  'workspace.webhooks.delivery': observeDelivery,
};
