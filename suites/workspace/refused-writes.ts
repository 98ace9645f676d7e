import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import { resultOrNull } from '../engine/check.ts';
import { findingOn, undecided } from '../engine/expect.ts';
import { mentions } from '../reading/own-words.ts';
import { showsCancelled } from '../records/listed-records.ts';
import { type Pages, pagesSinceWrite, searchIn } from '../records/reads.ts';
import { type Answer, isSuccess } from '../session/call.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { givenKey, mainKey, type Session, send } from '../session/session.ts';
import { neverIssuedKeys } from '../shared/refusals/never-issued.ts';
import { type Effect, judgeEffect, settledRefusals } from '../shared/refusals/refusals.ts';
import { callWithKey, standingRecord, type TriedCall, undeletedRecord } from './calls.ts';
import { eventNames, isAbout, storyOf } from './events/webhook-story.ts';
import { creating, deleting, kindOf, listing, pathOf, reading } from './records/creating.ts';
import { missingIn } from './stories/changes.ts';

/**
 * The effect of a call that had to be refused: the record shows the words of a change, the list those of a create, or
 * what had to stay is gone or cancelled. null: it had none. `pages`: those of the list, read once it would show. Throws
 * Inconclusive where it would not show.
 */
export async function effectOf(
  session: Session,
  endpoint: Endpoint,
  { answer, words, record }: TriedCall,
  pages: Pages,
): Promise<Effect | null> {
  const kind = kindOf(endpoint);
  if (words !== null && record !== null) {
    const { row } = searchIn(pages, record);
    const { values } = (await storyOf(session, kind)).change();
    // A row that still shows the accepted change tells that no other came after it.
    if (row !== undefined && missingIn({ json: row }, values).length === 0) {
      return null;
    }
    const shownBy = await send(session, reading(kind), { id: record.id });
    return mentions(shownBy.json, words) ? { shownBy, how: `${record.id} shows ${words}` } : null;
  }
  const made = words === null ? null : searchIn(pages, { collection: pathOf(kind), id: undefined, tag: words });
  if (made?.isShown) {
    return { shownBy: made.last, how: `${listing(kind)} shows ${words}` };
  }
  const standing = record ?? (await undeletedRecord(session, kind));
  const { isShown, isComplete, last: shownBy, row } = searchIn(pages, standing);
  if (isShown) {
    const isCancelled = made === null && kind === 'bookings' && showsCancelled(row);
    return isCancelled ? { shownBy, how: `${standing.id} is cancelled` } : null;
  }
  // Two creates may have been answered with one id: the run deleted it under the other's name.
  const isDeleted = !isSuccess(answer) && session.records.deletedIn(standing.collection)(standing.id);
  const isGone = async (): Promise<boolean> =>
    kind === 'agents'
      ? (await send(session, reading(kind), { id: standing.id })).status === 404
      : isSuccess(answer) || (isComplete && (await storyOf(session, kind)).listed().second?.isShown === true);
  if (made === null && !isDeleted && (await isGone())) {
    return { shownBy, how: `${standing.id} is gone` };
  }
  const message = `Cannot tell whether ${endpoint.id} took effect: ${listing(kind)} does not show ${standing.id}`;
  throw undecided(shownBy, message, endpointOf(isDeleted ? creating(kind) : listing(kind)).clause);
}

/** A write that must be refused. */
interface Write {
  readonly endpoint: Endpoint;
  readonly call: TriedCall;
  readonly probe: Answer;
}

/**
 * Writes that were refused with 401 or 403 changed nothing: their words show nowhere where those of accepted ones do,
 * and the records that they should have deleted still exist. The writes are those that the clauses on refusals try:
 * without a key, with unknown keys, and with the limited key.
 */
export async function judgeRefusedWrites(session: Session, tally: Tally): Promise<void> {
  const limited = givenKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const keys = [null, ...neverIssuedKeys(session), ...(limited === undefined ? [] : [limited])];
  const writes: Write[] = [];
  const endpoints = workspaceEndpoints.filter(({ method }) => method !== 'GET');
  await tally.each(endpoints, async (endpoint) => {
    for (const key of keys) {
      const call = await callWithKey(session, endpoint, key);
      writes.push({ endpoint, call, probe: call.answer });
    }
  });
  const all = await settledRefusals(session, writes, 'workspace.auth.missing-key');
  // What a deletion that was not refused took, no refused one did.
  const isOpen = async ({ endpoint, call }: Write): Promise<boolean> =>
    endpoint.method !== 'DELETE' || call.record === (await resultOrNull(standingRecord(session, kindOf(endpoint))));
  const refused = (await Promise.all(all.map(async (one) => ((await isOpen(one)) ? [one] : [])))).flat();
  // Any of several deletions may have been the one that took effect.
  const groups = Map.groupBy(refused, ({ endpoint, call }) => `${endpoint.id} ${call.words}`);
  await tally.each([...groups.values()], async (group) => {
    const { endpoint, call } = group[0] as Write;
    const pages = await pagesSinceWrite(session, pathOf(kindOf(endpoint)), mainKey(session));
    const effect = await effectOf(session, endpoint, call, pages);
    const status = [...new Set(group.map(({ probe }) => probe.status))].join(' or ');
    judgeEffect(tally, { endpoint: endpoint.id, status }, effect);
    // What a refused create made is the run's: where the API cannot delete it, the ledger keeps it for the report.
    const made = session.ledger.all().find(({ tag, lasting }) => lasting && tag === call.words);
    if (effect !== null && made !== undefined) {
      session.ledger.note(made, { accepted: true });
    }
  });
  await tally.part(() => judgeUnannounced(session, tally, refused));
}

/** No webhook has heard of a refused create or, since its deletions were refused, that a booking was cancelled. */
async function judgeUnannounced(session: Session, tally: Tally, writes: readonly Write[]): Promise<void> {
  const deliveries = session.inbox.kind === 'inbox' ? session.inbox.deliveries : [];
  const cancelled = (): readonly Entry[] =>
    session.ledger.all().filter(({ collection, gone }) => collection === pathOf('bookings') && gone);
  const isHeard = ({ id = '', tag }: Entry): boolean =>
    deliveries.some((delivery) => isAbout(delivery, { id, tag }, 'booking.cancelled'));
  for (const { endpoint, call, probe } of writes) {
    const { words, record } = call;
    const heard = deliveries.find((delivery) =>
      endpoint.id === deleting('bookings') && record !== null
        ? delivery.receivedAt >= probe.exchange.sentAt && isAbout(delivery, record, 'booking.cancelled')
        : words !== null && isAbout(delivery, { id: words, tag: words }),
    );
    const how = heard && `${eventNames(heard).join(', ')} was delivered`;
    if (how !== undefined && words === null && cancelled().some((one) => !isHeard(one))) {
      // The event of a cancellation that was accepted may name another booking than its own.
      const message = `Cannot tell whether ${endpoint.id} took effect although it got ${probe.status}: ${how} after another one was accepted`;
      tally.leaveOpen(findingOn(probe, { message, blames: 'workspace.events.booking-cancelled' }));
    } else if (how !== undefined) {
      judgeEffect(tally, { endpoint: endpoint.id, status: probe.status }, { shownBy: probe, how });
    }
  }
}
