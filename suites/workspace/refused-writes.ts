import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import { judgeEach, judgePart } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { begunAfter, findInListUntil } from '../records/lists.ts';
import { type ApiKey, isSuccess } from '../session/call.ts';
import { givenKey, mainKey, type Session, send } from '../session/session.ts';
import { neverIssuedKeys } from '../shared/refusals/never-issued.ts';
import {
  awaitEffects,
  judgeEffect,
  judgeLeftNothing,
  type MarkedWrite,
  notRefused,
} from '../shared/refusals/no-effect.ts';
import { callWithKey, standingRecord, undeletedRecord } from './calls.ts';
import { aboutIn, eventNames } from './events/payload.ts';
import { storyOf } from './events/webhook-story.ts';
import { creating, type Deletable, deleting, type Kind, kindOf, kinds, listing, reading } from './kinds.ts';
import { showsCancelled } from './stories/booking-state.ts';

/**
 * Writes that were refused with 401 or 403 changed nothing: their words show nowhere where those of accepted ones do,
 * and the records that they should have deleted still exist. The writes are those that the clauses on refusals try.
 */
export async function judgeRefusedWrites(session: Session, tally: Tally): Promise<void> {
  const endpoints = workspaceEndpoints.filter(({ method }) => method !== 'GET');
  const refused = (await Promise.all(endpoints.map((one) => refusedWrites(session, tally, one)))).flat();
  // All are awaited before any list is read, so that one reading of a list serves all writes of its records.
  await awaitEffects(session, refused);
  await judgeEach(tally, kinds, async (kind) => {
    const writes = refused.filter(({ endpoint }) => kindOf(endpointOf(endpoint)) === kind);
    const [deletions, others] = [writes.filter(isDeletion), writes.filter((one) => !isDeletion(one))];
    await judgePart(tally, () => judgeWords(session, tally, kind, others));
    await judgePart(tally, () => judgeDeletions(session, tally, kind as Deletable, deletions));
  });
  await judgePart(tally, () => judgeUnannounced(session, tally, refused));
}

const isDeletion = ({ endpoint }: MarkedWrite): boolean => endpoint.startsWith('DELETE ');

/** The refusals of a write without a key, with unknown keys, and with the limited key. */
async function refusedWrites(session: Session, tally: Tally, endpoint: Endpoint): Promise<MarkedWrite[]> {
  const limited = givenKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const keys: readonly (readonly [ApiKey | null, string])[] = [
    [null, 'workspace.auth.missing-key'],
    ...neverIssuedKeys(session).map((key) => [key, 'workspace.auth.invalid-key'] as const),
    ...(limited === undefined ? [] : [[limited, 'workspace.auth.forbidden'] as const]),
  ];
  const refused: MarkedWrite[] = [];
  for (const [key, clause] of keys) {
    await judgePart(tally, async () => {
      const { answer: probe, words } = await callWithKey(session, endpoint, key);
      const { status } = probe;
      if (status === 401 || status === 403) {
        refused.push({ endpoint: endpoint.id, status, probe, clause, words: words ?? '' });
      } else if (key !== limited || !isSuccess(probe)) {
        tally.leaveOpen(notRefused(probe, '401 or 403', clause));
      }
    });
  }
  return refused;
}

/** No webhook has heard of a refused create or, since its deletions were refused, that a booking was cancelled. */
async function judgeUnannounced(session: Session, tally: Tally, writes: readonly MarkedWrite[]): Promise<void> {
  const deliveries = session.inbox.kind === 'inbox' ? session.inbox.deliveries : [];
  const arrived = deliveries.map((delivery) => ({ delivery, isAbout: aboutIn(delivery) }));
  const isCancellation = ({ endpoint }: MarkedWrite): boolean => endpoint === deleting('bookings');
  const standing = writes.some(isCancellation) ? await standingRecord(session, 'bookings') : null;
  for (const write of writes.filter((one) => one.words !== '' || isCancellation(one))) {
    const heard = arrived.find(({ delivery, isAbout }) =>
      standing !== null && isCancellation(write)
        ? delivery.receivedAt >= write.probe.exchange.sentAt && isAbout(standing, 'booking.cancelled')
        : isAbout({ id: write.words, tag: write.words }),
    );
    if (heard !== undefined) {
      const how = `${eventNames(heard.delivery).join(', ')} was delivered`;
      judgeEffect(tally, write, { shownBy: write.probe, how, unknown: null });
    }
  }
}

/** The list shows no words of refused creates and changes. */
async function judgeWords(session: Session, tally: Tally, kind: Kind, writes: readonly MarkedWrite[]): Promise<void> {
  if (writes.length === 0) {
    return;
  }
  const { tag: twinWords } = await undeletedRecord(session, kind);
  const witness = { list: listing(kind), twinWords, reader: mainKey(session) };
  const shown = await judgeLeftNothing(session, tally, writes, witness);
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
  const isGone = async (): Promise<boolean> =>
    kind === 'agents'
      ? (await send(session, reading(kind), { id: record.id })).status === 404
      : isComplete && second?.isShown === true;
  // Two creates may have been answered with one id: the run deleted it under the other's name.
  const isDeleted = session.records.deletedIn(record.collection)(record.id);
  const source = isDeleted ? creating : listing;
  const hasEnded = !isDeleted && (isShown ? kind === 'bookings' && showsCancelled(row) : await isGone());
  const message = `Cannot tell whether a refused deletion of ${record.id} took effect: ${listing(kind)} does not show it`;
  // Any of them may have had it.
  const status = [...new Set(writes.map((one) => one.status))].join(' or ');
  judgeEffect(
    tally,
    { endpoint: write.endpoint, status },
    {
      shownBy: hasEnded ? last : undefined,
      how: `${record.id} is ${isShown ? 'cancelled' : 'gone'}`,
      unknown: isShown ? null : findingOn(last, { message, blames: endpointOf(source(kind)).clause }),
    },
  );
}
