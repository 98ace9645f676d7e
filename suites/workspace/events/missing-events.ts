import { walk } from '../../../common/json.ts';
import { counted, times } from '../../../common/words.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Received } from '../../../webhooks/inbox/mailbox.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn } from '../../engine/expect.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { findInList } from '../../records/list-search.ts';
import { isGatewayError } from '../../session/evidence/accidents.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { listing } from '../kinds.ts';
import { isAbout, isUnreadable, namedEvents, valuesIn } from './payload.ts';
import { type Announcement, announcing, findWebhook } from './story.ts';
import type { Listener } from './subscribe.ts';

/** Each webhook that asked for the event gets it. */
export async function judgeAnnouncement(session: Session, announcement: Announcement): Promise<Outcome> {
  const tally = createTally();
  if (announcement.heard.some(({ delivery }) => delivery === undefined)) {
    await assertAnswering(session);
  }
  for (const { listener, delivery: inTime } of announcement.heard) {
    // It may have come after EVENT_WAIT_MS, while others were awaited: the documents promise no latency.
    const delivery = inTime ?? listener.mailbox.deliveries.find(announcing(announcement));
    const inactive = delivery === undefined ? await inactiveFinding(session, announcement, listener) : null;
    if (delivery !== undefined) {
      tally.judge(null);
    } else if (inactive !== null) {
      tally.leaveOpen(inactive);
    } else {
      judgeMissing(session, tally, announcement, listener);
    }
  }
  return tally.outcome();
}

/**
 * The finding on a webhook that need not hear: the deployment has shown it as inactive since its registration, since it
 * wants the URL confirmed in a way that the receiver does not know; null: it must hear.
 */
async function inactiveFinding(
  session: Session,
  { kind }: Pick<Announcement, 'kind'>,
  { name, attempt }: Listener,
): Promise<Finding | null> {
  const { id } = attempt;
  const state = inactiveState(attempt.answer.json);
  if (id === undefined || state === undefined) {
    return null;
  }
  const now = await resultOrNull(findInList(session, attempt.collection, { id, tag: attempt.tag }));
  // One webhook was removed meanwhile: then the list showed it last before that.
  const search = now?.isShown ? now : await resultOrNull(findWebhook(session, { ...attempt, id }));
  return search === null || inactiveState(search.row) === undefined
    ? null
    : findingOn(search.last, {
        message: `Cannot tell whether ${kind} is sent to the ${name}: the deployment has shown it with ${state} since its registration`,
        expected: 'an active webhook',
        actual: state,
        cause:
          'The deployment may require the URL of the webhook to be confirmed in a way that the receiver does not support',
      });
}

/** What in an answer says that a webhook is not active yet, `"active": false`; undefined: nothing. */
const inactiveState = (json: unknown): string | undefined =>
  walk(json)
    .filter(
      ({ name, value }) =>
        (value === false && /^(is_?)?(active|enabled|verified|confirmed)$/i.test(name)) ||
        (typeof value === 'string' && /^(status|state)$/i.test(name) && notActive.test(value)),
    )
    .map(({ name, value }) => JSON.stringify({ [name]: value }).slice(1, -1))[0];

const notActive = /pending|inactive|unverified|unconfirmed|awaiting|disabled/i;

/** Throws Inconclusive where the deployment no longer answers: then a missing event proves nothing. */
async function assertAnswering(session: Session): Promise<void> {
  const answer = await send(session, listing('bookings'));
  if (answer.status === 0 || isGatewayError(answer.status)) {
    const message = `A missing event proves nothing: the deployment no longer answers (${describeAnswer(answer)})`;
    throw new Inconclusive(findingOn(answer, { message }));
  }
}

function judgeMissing(session: Session, tally: Tally, announcement: Announcement, { name, mailbox }: Listener): void {
  const { kind, booking, answer, heard } = announcement;
  const { about, nameless, unreadable } = cameInstead(announcement, mailbox.deliveries, session.ledger.all());
  if (about.length === 0 && unreadable.length > 0) {
    tally.leaveOpen({
      message: `Cannot tell whether ${kind} of booking ${booking.id} reached the ${name}: ${counted(unreadable.length, 'delivery')} cannot be read`,
      expected: 'JSON, or a form, that names its event',
    });
    return;
  }
  if (about.length === 0 && nameless.length > 0) {
    tally.leaveOpen({
      message: `${kind} reached the ${name} ${times(nameless.length)}, and no payload names the booking: neither its id ${booking.id} nor a value of its body`,
      expected: 'a payload that names its booking',
    });
    return;
  }
  const refused = refusedBy(session);
  if (refused > 0) {
    tally.leaveOpen({
      message: `Cannot tell whether ${kind} of booking ${booking.id} reached the ${name}: the receiver refused ${counted(refused, 'delivery')} that were too many or too large to keep`,
      expected: `a delivery of ${kind}`,
    });
    return;
  }
  const wasHeard = heard.some(({ delivery }) => delivery !== undefined);
  const elsewhere = wasHeard ? ', although another webhook with the same registration received it' : '';
  tally.judge(
    findingOn(answer, {
      message: `${kind} is not sent to the ${name}: ${namesOf(about, 'nothing')} came for booking ${booking.id} within ${session.settings.EVENT_WAIT_MS} ms${elsewhere}`,
      expected: `a delivery of ${kind}`,
      actual: namesOf(about, 'none'),
      ...causeOfSilence(session),
    }),
  );
}

/** How many deliveries to the run's webhooks the receiver did not keep. */
const refusedBy = ({ inbox }: Session): number => (inbox.kind === 'inbox' ? inbox.lost : 0);

/** The likely cause where nothing at all reached the receiver: the URL that the user gave for it may be wrong. */
function causeOfSilence({ inbox, settings }: Session): Pick<Finding, 'cause'> {
  const isSilent = inbox.kind === 'inbox' && inbox.deliveries.length === 0;
  return isSilent && settings.WEBHOOK_PUBLIC_URL !== undefined
    ? { cause: `No delivery of this run reached its receiver: WEBHOOK_PUBLIC_URL may not lead to WEBHOOK_LISTEN` }
    : {};
}

/** What came instead: about the booking, of the event but about no record of the run, and unreadable. */
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

/** Whether a delivery may be about any booking: it names no record of the run, and nothing like the booking's id. */
function namesNothingOfRun(
  delivery: Received,
  bookingId: string,
  records: readonly Pick<Entry, 'id' | 'tag'>[],
): boolean {
  if (records.some(({ id, tag }) => isAbout(delivery, { id: id ?? tag, tag }))) {
    return false;
  }
  const prefix = /^[A-Za-z]+_/.exec(bookingId)?.[0];
  const isLikeId = (value: unknown) => prefix !== undefined && typeof value === 'string' && value.startsWith(prefix);
  return !valuesIn(delivery).some(isLikeId);
}

/** The names of the events in deliveries, each once, as text; `none` stands for no delivery. */
function namesOf(deliveries: readonly Received[], none: string): string {
  const names = deliveries.flatMap((delivery) => {
    const events = namedEvents(delivery);
    return events.length === 0 ? ['no event'] : events.map(({ name }) => name);
  });
  return [...new Set(names)].join(', ') || none;
}
