import { createTally, judged, type Outcome, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { isStillListed, judgeNotListed, stillListedTest } from '../records/listed-records.ts';
import { isOnlyInactive, isShownGone } from '../records/shown-gone.ts';
import { isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { deliveryHabits } from './events/delivery-habits.ts';
import { eventNamesAbout } from './events/payload.ts';
import { judgeOwnSecret, judgeSignature, observeScheme } from './events/signatures.ts';
import { bookingAfterRemoval, creationAnnouncement, webhookStory } from './events/story.ts';
import { firstWebhook } from './events/subscribe.ts';
import { judgeDeletion, judgeGone, tookAnother } from './life/judge-deletions.ts';
import { judgeCreates, judgeListed } from './life/judge-records.ts';
import type { Deletion, OtherRecord } from './life/story.ts';

/** Webhooks: register, list, remove, how they are delivered, and how they are signed. */
export const webhooks: Checks = {
  'workspace.webhooks.register': (session) =>
    judgeCreates(
      firstWebhook(session).then(({ attempt }) => attempt),
      webhookStory(session),
    ),
  'workspace.webhooks.list': (session) => judgeListed(session, 'webhooks', webhookStory(session)),
  'workspace.webhooks.remove': atMoment('quiet', judgeRemoved),
  'workspace.webhooks.silent-after-remove': judgeSilence,
  'workspace.webhooks.signature': judgeSignature,
  'workspace.webhooks.signature-secret': judgeOwnSecret,
  'workspace.webhooks.scheme': observeScheme,
  'workspace.webhooks.delivery': async (session) => observed(await deliveryHabits(session)),
};

/** DELETE succeeds, that webhook is then not listed, and the others still are. */
async function judgeRemoved(session: Session): Promise<Outcome> {
  const { deletion, listed } = await webhookStory(session);
  const removal = deletion();
  const { record, answer, before, search, other } = removal;
  const tally = createTally();
  judgeDeletion(tally, removal, 'Webhook was not removed');
  if (!isSuccess(answer)) {
    return tally.outcome();
  }
  judgeNotListed(tally, search, record, before);
  if (isStillListed(search, before, record)) {
    return tally.outcome();
  }
  if (!listed().first.isShown) {
    const message = 'Cannot tell whether a removed webhook is listed: the list shows no registered one';
    tally.leaveOpen(findingOn(search.first, { message, blames: 'workspace.webhooks.list' }));
  } else if (other !== null) {
    tally.judge(lostWebhook(removal, other));
  }
  // Clean-up of other clauses may remove it once more until then.
  await session.until('quiet');
  const finding = deactivated(session, removal);
  // No such finding is no comparison: the row may say nothing of it, and no second removal may have been tried.
  if (finding !== null) {
    tally.judge(finding);
  }
  await judgeGone(session, tally, removal, {
    kind: 'webhooks',
    isThere: stillListedTest(before, record),
    isGone: (row) => isShownGone(row),
  });
  return tally.outcome();
}

/**
 * The finding on a webhook that a removal only deactivated: its row says that it is not active, and it could be removed
 * once more; null: it was removed.
 */
function deactivated({ evidence }: Session, { record, answer, before, search }: Deletion): Finding | null {
  if (search.row === undefined || !isOnlyInactive(search.row, before.row)) {
    return null;
  }
  const again = evidence.responses.find(
    ({ endpoint, number, request, response }) =>
      endpoint === 'DELETE /v1/webhooks/:id' &&
      number > answer.exchange.number &&
      request.url.endsWith(`/${encodeURIComponent(record.id)}`) &&
      response.status === 200,
  );
  return again === undefined
    ? null
    : findingOn(
        { exchange: again },
        {
          message: `The removed webhook is only deactivated: ${record.id} is listed as inactive, and can be removed again`,
          expected: 'removed',
          actual: 'deactivated',
          place: 'body',
        },
      );
}

/** The finding on a webhook that is no longer listed, or is listed as inactive, since another one was removed. */
function lostWebhook({ record }: Deletion, { record: kept, listed, search, isLost }: OtherRecord): Finding | null {
  if (search.row !== undefined && isOnlyInactive(search.row, listed?.row)) {
    return findingOn(search.last, {
      message: `Removing webhook ${record.id} also deactivated webhook ${kept.id}`,
      expected: `only ${record.id} removed`,
      actual: `${kept.id} is listed as inactive, and was not before`,
      place: 'body',
    });
  }
  return isLost ? tookAnother(search.first, { noun: 'webhook', deleted: record.id, taken: kept.id }) : null;
}

/** A removed webhook gets no event, while it got one before, and another webhook still gets them. */
async function judgeSilence(session: Session): Promise<Outcome> {
  const { heard } = await creationAnnouncement(session);
  const { control, strays, removed, booking } = await bookingAfterRemoval(session);
  const [stray] = strays;
  if (stray !== undefined) {
    return judged({
      message: `A removed webhook still got ${eventNamesAbout(stray, booking).join(', ') || 'an event'} for booking ${booking.id}, which was created later`,
      expected: 'no delivery',
      actual: `${strays.length} delivered`,
      place: removed.name,
    });
  }
  const before = heard.find(({ listener }) => listener.url === removed.url)?.delivery;
  if (before === undefined || control === undefined) {
    const why =
      before === undefined
        ? 'the removed webhook got no event while it was registered'
        : 'the webhook that is still registered got no event either';
    const message = `Cannot judge the silence: ${why}`;
    throw new Inconclusive({ message, blames: 'workspace.events.booking-created' });
  }
  return judged(null);
}
