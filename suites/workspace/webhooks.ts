import type { JsonObject } from '../../common/json.ts';
import { createTally, judged, type Outcome, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { showsId } from '../reading/id-places.ts';
import { begunAfter } from '../records/list-reading.ts';
import { findInListUntil } from '../records/list-search.ts';
import { isStillListed, judgeNotListed, stillListedTest } from '../records/listed-records.ts';
import { isOnlyInactive, isShownGone } from '../records/shown-gone.ts';
import { isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { judgeGone, tookAnother } from './support/deletions/gone.ts';
import { creationAnnouncement } from './support/events/caused-events.ts';
import { deliveryHabits } from './support/events/delivery-habits.ts';
import { judgeOwnSecret, judgeSignature, observeScheme } from './support/events/judge-signatures.ts';
import { eventNamesAbout } from './support/events/payload.ts';
import { firstWebhook } from './support/events/registrations.ts';
import { bookingAfterRemoval, type Removal, webhookRemoval } from './support/events/webhook-removal.ts';
import { assertCreated, type Created } from './support/records/create.ts';
import { judgeListed } from './support/records/judge-lists.ts';
import { judgeCreated, judgeDeletion } from './support/records/judge-records.ts';
import { type ListedPair, listedPair } from './support/records/listed-pair.ts';

/** Webhooks: register, list, remove, how they are delivered, and how they are signed. */
export const webhooks: Checks = {
  'workspace.webhooks.register': async (session) => judgeCreated((await firstWebhook(session)).attempt),
  'workspace.webhooks.list': (session) =>
    judgeListed(session, 'webhooks', async () => (await firstWebhook(session)).attempt),
  'workspace.webhooks.remove': atMoment('quiet', judgeRemoved),
  'workspace.webhooks.silent-after-remove': judgeSilence,
  'workspace.webhooks.signature': judgeSignature,
  'workspace.webhooks.signature-secret': judgeOwnSecret,
  'workspace.webhooks.scheme': observeScheme,
  'workspace.webhooks.delivery': async (session) => observed(await deliveryHabits(session)),
};

/** DELETE succeeds, that webhook is then not listed, and the others still are. */
async function judgeRemoved(session: Session): Promise<Outcome> {
  const removal = await webhookRemoval(session);
  const { record, answer, before, search } = removal;
  const tally = createTally();
  judgeDeletion(tally, { record, row: before.row, answer }, 'Webhook was not removed');
  if (!isSuccess(answer)) {
    return tally.outcome();
  }
  judgeNotListed(tally, search, record, before);
  if (isStillListed(search, before, record)) {
    return tally.outcome();
  }
  const first = assertCreated((await firstWebhook(session)).attempt);
  const pair = await listedPair(session, 'webhooks');
  if (!pair.first.isShown) {
    const message = 'Cannot tell whether a removed webhook is listed: the list shows no registered one';
    tally.leaveOpen(findingOn(search.first, { message, blames: 'workspace.webhooks.list' }));
  } else if (first.id !== record.id && wereListedTogether(pair, first)) {
    tally.judge(await lostWebhook(session, first, removal, pair.first.row));
  }
  // Clean-up of other clauses may remove it once more until then.
  await session.until('quiet');
  const finding = deactivated(session, removal);
  // No such finding is no comparison: the row may say nothing of it, and no second removal may have been tried.
  if (finding !== null) {
    tally.judge(finding);
  }
  await judgeGone(session, tally, {
    kind: 'webhooks',
    record,
    answer,
    before: pair.first,
    after: search,
    isThere: stillListedTest(before, record),
    isGone: (row) => isShownGone(row),
  });
  return tally.outcome();
}

/**
 * The finding on a webhook that a removal only deactivated: its row says that it is not active, and it could be removed
 * once more; null: it was removed.
 */
function deactivated({ evidence }: Session, { record, answer, before, search, id }: Removal): Finding | null {
  if (search.row === undefined || !isOnlyInactive(search.row, before.row)) {
    return null;
  }
  const again = evidence.responses.find(
    ({ endpoint, number, request, response }) =>
      endpoint === 'DELETE /v1/webhooks/:id' &&
      number > answer.exchange.number &&
      request.url.endsWith(`/${encodeURIComponent(id)}`) &&
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

/** Whether one reading showed both webhooks: a list that shows one at most lost the other before the removal. */
const wereListedTogether = ({ second }: ListedPair, { id = '' }: Created): boolean =>
  second === null || (second.search.isShown && showsId(second.search.last.json, id));

/**
 * The finding on a webhook that is no longer listed, or is listed as inactive, since another one was removed; null: it is
 * as before, or may be. `earlier`: its row before.
 */
async function lostWebhook(
  session: Session,
  first: Created,
  { record, answer }: Removal,
  earlier: JsonObject | undefined,
): Promise<Finding | null> {
  const search = await findInListUntil(session, first, ({ isShown }) => isShown, {
    reuse: begunAfter(session, answer),
  });
  if (search.row !== undefined && isOnlyInactive(search.row, earlier)) {
    return findingOn(search.last, {
      message: `Removing webhook ${record.id} also deactivated webhook ${first.id}`,
      expected: `only ${record.id} removed`,
      actual: `${first.id} is listed as inactive, and was not before`,
      place: 'body',
    });
  }
  return search.isShown || !search.isComplete || !isSuccess(search.first)
    ? null
    : tookAnother(search.first, { noun: 'webhook', deleted: record.id, taken: first.id });
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
