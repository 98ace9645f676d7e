import { endpointOf } from '../../contract/endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import { judgeEach, judgePart } from '../engine/check.ts';
import { undecided } from '../engine/expect.ts';
import { begunAfter, findInListUntil } from '../records/lists.ts';
import { givenKey, type Session, send } from '../session/session.ts';
import { neverIssuedKeys } from '../shared/refusals/never-issued.ts';
import { judgeEffect, judgeLeftNothing, type MarkedWrite, settledRefusals } from '../shared/refusals/no-effect.ts';
import { callWithKey, standingRecord, undeletedRecord } from './calls.ts';
import { eventNames, isAbout } from './events/payload.ts';
import { storyOf } from './events/webhook-story.ts';
import { creating, type Deletable, deleting, type Kind, kindOf, kinds, listing, reading } from './kinds.ts';
import { showsCancelled } from './stories/booking-state.ts';

/** What is to blame where a write was not refused. */
const blames = 'workspace.auth.missing-key';

/**
 * Writes that were refused with 401 or 403 changed nothing: their words show nowhere where those of accepted ones do,
 * and the records that they should have deleted still exist. The writes are those that the clauses on refusals try:
 * without a key, with unknown keys, and with the limited key.
 */
export async function judgeRefusedWrites(session: Session, tally: Tally): Promise<void> {
  const limited = givenKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const writes: MarkedWrite[] = [];
  await judgeEach(tally, session.api.endpoints, async (endpoint) => {
    for (const key of endpoint.method === 'GET'
      ? []
      : [null, ...neverIssuedKeys(session), ...(limited ? [limited] : [])]) {
      const { answer: probe, words } = await callWithKey(session, endpoint, key);
      writes.push({ endpoint: endpoint.id, probe, words: words ?? '' });
    }
  });
  // All are awaited before any list is read, so that one reading of a list serves all writes of its records.
  const refused = await settledRefusals(session, writes, blames);
  await judgeEach(tally, kinds, async (kind) => {
    const ofKind = refused.filter(({ endpoint }) => kindOf(endpointOf(endpoint)) === kind);
    const isDeletion = ({ endpoint }: MarkedWrite): boolean => endpoint === deleting(kind as Deletable);
    await judgePart(tally, () =>
      judgeWords(
        session,
        tally,
        kind,
        ofKind.filter((one) => !isDeletion(one)),
      ),
    );
    await judgePart(tally, () => judgeDeletions(session, tally, kind as Deletable, ofKind.filter(isDeletion)));
  });
  await judgePart(tally, () => judgeUnannounced(session, tally, refused));
}

/** No webhook has heard of a refused create or, since its deletions were refused, that a booking was cancelled. */
async function judgeUnannounced(session: Session, tally: Tally, writes: readonly MarkedWrite[]): Promise<void> {
  const deliveries = session.inbox.kind === 'inbox' ? session.inbox.deliveries : [];
  const isCancellation = ({ endpoint }: MarkedWrite): boolean => endpoint === deleting('bookings');
  const standing = writes.some(isCancellation) ? await standingRecord(session, 'bookings') : null;
  for (const write of writes.filter((one) => one.words !== '' || isCancellation(one))) {
    const { words, probe } = write;
    const heard = deliveries.find((delivery) =>
      standing !== null && isCancellation(write)
        ? delivery.receivedAt >= probe.exchange.sentAt && isAbout(delivery, standing, 'booking.cancelled')
        : isAbout(delivery, { id: words, tag: words }),
    );
    if (heard !== undefined) {
      judgeEffect(tally, write, { shownBy: probe, how: `${eventNames(heard).join(', ')} was delivered` });
    }
  }
}

/** The list shows no words of refused creates and changes. */
async function judgeWords(session: Session, tally: Tally, kind: Kind, writes: readonly MarkedWrite[]): Promise<void> {
  const { tag: twinWords } = await undeletedRecord(session, kind);
  const shown = await judgeLeftNothing(session, tally, writes, { list: listing(kind), twinWords, blames });
  // What a refused create made is the run's: where the API cannot delete it, the ledger keeps it for the report.
  const isShown = (tag: string): boolean => shown.some(({ words }) => words === tag);
  for (const entry of session.ledger.all().filter(({ tag, lasting }) => lasting && isShown(tag))) {
    session.ledger.accept(entry);
  }
}

/** The record that refused deletions name still exists. */
async function judgeDeletions(
  session: Session,
  tally: Tally,
  kind: Deletable,
  writes: readonly MarkedWrite[],
): Promise<void> {
  const [write] = writes;
  if (write === undefined) {
    return;
  }
  const record = await standingRecord(session, kind);
  const { isShown, isComplete, last, row } = await findInListUntil(session, record, (search) => search.isShown, {
    reuse: begunAfter(session, ...writes.map(({ probe }) => probe)),
  });
  const { second } = (await storyOf(session, kind)).listed();
  // Two creates may have been answered with one id: the run deleted it under the other's name.
  const isDeleted = session.records.deletedIn(record.collection)(record.id);
  const isGone = async (): Promise<boolean> =>
    kind === 'agents'
      ? (await send(session, reading(kind), { id: record.id })).status === 404
      : isComplete && second?.isShown === true;
  const hasEnded = !isDeleted && (isShown ? kind === 'bookings' && showsCancelled(row) : await isGone());
  if (!isShown && !hasEnded) {
    const message = `Cannot tell whether a refused deletion of ${record.id} took effect: ${listing(kind)} does not show it`;
    throw undecided(last, message, endpointOf(isDeleted ? creating(kind) : listing(kind)).clause);
  }
  judgeEffect(tally, write, {
    shownBy: hasEnded ? last : undefined,
    how: `${record.id} is ${isShown ? 'cancelled' : 'gone'}`,
    // Any of them may have had it.
    status: [...new Set(writes.map(({ probe }) => probe.status))].join(' or '),
  });
}
