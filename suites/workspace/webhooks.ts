import { createTally, judged, type Outcome, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Checks } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { isSuccess } from '../session/answer.ts';
import { showsId } from '../session/reading/id-places.ts';
import type { Session } from '../session/session.ts';
import { isListed, judgeNotShown } from '../shared/lists/created.ts';
import { lookUntil } from '../shared/lists/list-search.ts';
import { after } from '../shared/lists/looks.ts';
import { judgeListedAgain } from './support/deletions/shown-again.ts';
import { withPathId } from './support/deletions/targets.ts';
import { bookingAnnounced } from './support/events/caused-events.ts';
import { deliveryHabits } from './support/events/delivery-habits.ts';
import { judgeOwnSecret, judgeSignature, observeScheme } from './support/events/judged-signatures.ts';
import { namesAbout } from './support/events/payload.ts';
import { firstWebhook } from './support/events/registrations.ts';
import { bookingAfterRemoval, type Removal, webhookRemoved } from './support/events/webhook-removal.ts';
import { assertCreated, type Created } from './support/records/create.ts';
import { judgeListed } from './support/records/judged-lists.ts';
import { judgeCreated, judgeDeletion } from './support/records/judged-records.ts';
import { listedTogether, type Together } from './support/records/listed-together.ts';

/** Webhooks: register, list, remove, how they are delivered, and how they are signed. */
export const webhooks: Checks = {
  'workspace.webhooks.register': async (session) =>
    judgeCreated(await withPathId(session, 'webhooks', (await firstWebhook(session)).attempt)),
  'workspace.webhooks.list': (session) =>
    judgeListed(session, 'webhooks', async () => (await firstWebhook(session)).attempt),
  'workspace.webhooks.remove': judgeRemoved,
  'workspace.webhooks.silent-after-remove': judgeSilence,
  'workspace.webhooks.signature': judgeSignature,
  'workspace.webhooks.signature-secret': judgeOwnSecret,
  'workspace.webhooks.scheme': observeScheme,
  'workspace.webhooks.delivery': async (session) => observed(await deliveryHabits(session)),
};

async function judgeRemoved(session: Session): Promise<Outcome> {
  const removal = await webhookRemoved(session);
  const { record, answer, before, search } = removal;
  const tally = createTally();
  judgeDeletion(tally, { record, row: before.row, answer }, 'Webhook is not removed');
  if (!isSuccess(answer)) {
    return tally.outcome();
  }
  judgeNotShown(tally, search, record, before, 'Removed');
  if (isListed(search, before, record)) {
    return tally.outcome();
  }
  // A list that never showed it cannot show that it is gone.
  const first = assertCreated((await firstWebhook(session)).attempt);
  const together = await listedTogether(session, 'webhooks');
  if (!together.first.isShown) {
    const message = 'Whether a removed webhook is listed is unknown: the list shows no registered one';
    tally.leaveOpen(findingOn(search.first, { message, blames: 'workspace.webhooks.list' }));
  } else if (first.id !== record.id && stoodTogether(together, first)) {
    tally.judge(await lostBeside(session, first, removal));
  }
  await judgeListedAgain(tally, session, record, answer, (row) => isListed({ isShown: true, row }, before, record));
  return tally.outcome();
}

/** One reading showed both: a list of one webhook alone loses the other before anything is removed. */
const stoodTogether = ({ second }: Together, { id = '' }: Created): boolean =>
  second === null || (second.search.isShown && showsId(second.search.last.json, id));

/** A removal takes one webhook off the list, and leaves the others there. */
async function lostBeside(session: Session, first: Created, { record, answer }: Removal): Promise<Finding | null> {
  const search = await lookUntil(session, first, ({ isShown }) => isShown, { reuse: after(session, answer) });
  return search.isShown || !search.isComplete || !isSuccess(search.first)
    ? null
    : findingOn(search.first, {
        message: `Removing one webhook removes another too: ${first.id} is gone since ${record.id} was removed`,
        expected: 'one webhook removed',
        actual: 'another one as well',
        place: 'body',
      });
}

async function judgeSilence(session: Session): Promise<Outcome> {
  const { heard } = await bookingAnnounced(session);
  const { control, strays, removed, booking } = await bookingAfterRemoval(session);
  const [stray] = strays;
  if (stray !== undefined) {
    return judged({
      message: `Removed webhook is sent ${namesAbout(stray, booking).join(', ') || 'an event'} of booking ${booking.id}, which was made after its removal`,
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
    const message = `Silence proves nothing: ${why}`;
    throw new Inconclusive({ message, blames: 'workspace.events.booking-created' });
  }
  return judged(null);
}
