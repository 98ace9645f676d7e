import type { Endpoint, Method } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import type { Outcome, Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { findingOn } from '../engine/expect.ts';
import { judgeEach, judgePart, resultOrNull, toldOrNull } from '../engine/parts.ts';
import { mentions } from '../reading/own-words.ts';
import { nounOf } from '../records/collections.ts';
import { begunAfter, type MayReuse } from '../records/list-reading.ts';
import { findInList, findInListUntil, type ListSearch } from '../records/list-search.ts';
import { showsAsOwn } from '../records/others.ts';
import type { Created } from '../records/own.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { givenKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { neverIssuedKeys } from '../shared/refusals/never-issued.ts';
import { judgeEffect, notRefused, type RefusedWrite } from '../shared/refusals/no-effect.ts';
import { callWithKey, type TriedCall } from './calls.ts';
import { storyOf } from './events/story.ts';
import {
  type Deletable,
  deleting,
  type Kind,
  kindOf,
  kinds,
  listing,
  pathOf,
  type Readable,
  reading,
} from './kinds.ts';
import { showsCancelled } from './life/booking-state.ts';
import { missingIn } from './life/changed-fields.ts';
import { deletesOthersToo } from './life/collateral.ts';
import { recordStory } from './life/story.ts';
import { assertCreated } from './records/creating.ts';
import { firstRecord } from './records/run-records.ts';
import { standingRecord } from './standing.ts';

/** A write that was refused with 401 or 403. */
interface TriedWrite extends TriedCall, RefusedWrite {
  readonly method: Method;
}

/**
 * Writes that were refused with 401 or 403 changed nothing: their words show nowhere where those of accepted ones do,
 * and the records that they should have deleted still exist. The writes are those that the clauses on refusals try.
 */
export const judgeRefusedWrites = (session: Session): Promise<Outcome> =>
  judgeEach(kinds, async (tally, kind) => {
    const writes = workspaceEndpoints.filter((one) => kindOf(one) === kind && one.method !== 'GET');
    const refused = (await Promise.all(writes.map((endpoint) => refusedWrites(session, tally, endpoint)))).flat();
    if (refused.length === 0) {
      return;
    }
    const withMethod = (method: string): TriedWrite[] => refused.filter((write) => write.method === method);
    const reuse = begunAfter(session, ...refused.map(({ answer }) => answer));
    const record =
      kind === 'leads' ? assertCreated(await firstRecord(session, kind)) : await standingRecord(session, kind);
    const search = await findInListUntil(session, record, ({ isShown }) => isShown, { reuse });
    for (const creation of withMethod('POST')) {
      judgeCreation(session, tally, kind, creation, search);
    }
    for (const deletion of withMethod('DELETE').slice(0, 1)) {
      await judgeDeletion(session, tally, kind as Deletable, deletion, { record, search });
    }
    if (withMethod('PATCH').length > 0) {
      await judgeChanges(session, tally, kind as Readable, withMethod('PATCH'), reuse);
    }
  });

/** The refusals of a write without a key, with unknown keys, and with the limited key. */
async function refusedWrites(session: Session, tally: Tally, endpoint: Endpoint): Promise<TriedWrite[]> {
  const limited = givenKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const keys: readonly (readonly [ApiKey | null, string])[] = [
    [null, 'workspace.auth.missing-key'],
    ...neverIssuedKeys(session).map((key) => [key, 'workspace.auth.invalid-key'] as const),
    ...(limited === undefined ? [] : [[limited, 'workspace.auth.forbidden'] as const]),
  ];
  const refused: TriedWrite[] = [];
  for (const [key, clause] of keys) {
    await judgePart(tally, async () => {
      const call = await callWithKey(session, endpoint, key);
      if (call.answer.status === 401 || call.answer.status === 403) {
        refused.push({ ...call, endpoint: endpoint.id, method: endpoint.method, status: call.answer.status });
      } else if (key !== limited || !isSuccess(call.answer)) {
        tally.leaveOpen(notRefused(call.answer, '401 or 403', clause));
      }
    });
  }
  return refused;
}

/** The list shows no words of a refused create. */
function judgeCreation(session: Session, tally: Tally, kind: Kind, creation: TriedWrite, search: ListSearch): void {
  const { words } = creation;
  const pages = [search.first, search.last];
  const shownBy = pages.find((page) => words !== null && showsAsOwn(session, pathOf(kind), page, words));
  if (shownBy !== undefined) {
    // What a refused create made is the run's: where the API cannot delete it, the ledger keeps it for the report.
    for (const entry of session.ledger.all().filter(({ tag, lasting }) => tag === words && lasting)) {
      session.ledger.accept(entry);
    }
  }
  judgeEffect(tally, creation, {
    effect: shownBy && { shownBy, how: `${listing(kind)} shows ${words}` },
    unknown: search.isShown ? null : notShown(search.last, kind),
  });
}

/** The record that a refused deletion names still exists. */
async function judgeDeletion(
  session: Session,
  tally: Tally,
  kind: Deletable,
  deletion: RefusedWrite,
  { record, search }: { readonly record: Created; readonly search: ListSearch },
): Promise<void> {
  if (await deletesOthersToo(session, kind)) {
    const message = `Cannot tell whether a refused deletion of ${record.id} took effect: an accepted one deletes other ${kind} too`;
    tally.leaveOpen(findingOn(search.last, { message, blames: endpointOf(deleting(kind)).clause }));
    return;
  }
  const end = search.isShown ? 'cancelled' : 'gone';
  const hasEnded = search.isShown
    ? kind === 'bookings' && showsCancelled(search.row)
    : await isGone(session, kind, record, search);
  judgeEffect(tally, deletion, {
    effect: hasEnded ? { shownBy: search.last, how: `${record.id} is ${end}` } : undefined,
    unknown: search.isShown ? null : notShown(search.last, kind),
  });
}

/** Whether a record that a search did not find is gone: reads found it before, or the whole list would show it. */
async function isGone(
  session: Session,
  kind: Deletable,
  { id }: Created,
  { isComplete }: ListSearch,
): Promise<boolean> {
  if (kind === 'agents') {
    return (await send(session, reading(kind), { id })).status === 404;
  }
  const story = await resultOrNull(storyOf(session, kind));
  const listed = story && toldOrNull(story.listed);
  return isComplete && listed?.first.isShown === true && listed.second?.isShown !== false;
}

/** The record shows no words of refused changes: in its row, if that shows accepted changes, or in its detail view. */
async function judgeChanges(
  session: Session,
  tally: Tally,
  kind: Readable,
  changes: readonly TriedWrite[],
  reuse: MayReuse,
): Promise<void> {
  const { record, later, values } = (await recordStory(session, kind)).change();
  if (!isSuccess(later) || !mentions(later.json, record.tag)) {
    const message = `Cannot tell what refused changes leave behind: ${reading(kind)} does not contain the run's tag`;
    tally.leaveOpen(findingOn(later, { message, blames: endpointOf(reading(kind)).clause }));
    return;
  }
  const { row, last } = await findInList(session, record.collection, record, { reuse });
  const showsAccepted = row !== undefined && missingIn({ json: row }, values).length === 0;
  const view = showsAccepted ? last : await send(session, reading(kind), { id: record.id });
  for (const change of changes) {
    const { words } = change;
    const hasEffect = words !== null && mentions(showsAccepted ? row : view.json, words);
    const how = `${view.exchange.endpoint} shows ${words}`;
    judgeEffect(tally, change, { effect: hasEffect ? { shownBy: view, how } : undefined, unknown: null });
  }
}

/** The finding on a list that does not show what accepted writes made. */
const notShown = (answer: Answer, kind: Kind): Finding =>
  findingOn(answer, {
    message: `Cannot tell what refused writes leave behind: ${listing(kind)} does not show the ${nounOf(kind)} that an accepted one made`,
    blames: endpointOf(listing(kind)).clause,
  });
