import type { Endpoint } from '../../../../contract/endpoint.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { workspaceEndpoints } from '../../../../contract/workspace-endpoints.ts';
import type { Kind } from '../../../../fixtures/workspace-bodies.ts';
import type { Exchange } from '../../../../results/exchange.ts';
import type { Outcome, Tally } from '../../../../results/outcome.ts';
import { findingOn } from '../../../engine/expect.ts';
import { judgeEach, judgePart, resultOrNull } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { givenKey } from '../../../session/keys.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { deletionsOf } from '../../../shared/clean-up/still-there.ts';
import { begunAfter, type MayReuse } from '../../../shared/lists/list-reading.ts';
import { findCreated, findInList, findInListUntil, type ListSearch } from '../../../shared/lists/list-search.ts';
import { neverIssuedKeys } from '../../../shared/refusals/never-issued.ts';
import { missingIn } from '../changes/changes.ts';
import { deletesOthersToo } from '../deletions/collateral-deletions.ts';
import { deletionTarget } from '../deletions/deletion-targets.ts';
import { cancelledRowTest } from '../deletions/deletions.ts';
import { announcedDespiteRefusal } from '../events/announced-refusals.ts';
import { type Deletable, deleting, kindOf, kinds, type Readable, reading } from '../kinds.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { showsBoth } from '../records/listed-pair.ts';
import { mainChange, mainRecord } from '../records/main-record.ts';
import { firstRecord } from '../records/run-records.ts';
import { callWithKey } from './arrange.ts';
import { notRefused, notShown, type RefusedWrite, tookEffect } from './refused-write-findings.ts';

/**
 * Writes that were refused with 401 or 403 changed nothing: their words show nowhere where those of accepted ones do,
 * and the records that they should have deleted still exist. The writes are those that the clauses on refusals try.
 */
export const judgeNoEffect = (session: Session): Promise<Outcome> =>
  judgeEach(kinds, (tally, kind) => judgeKind(session, tally, kind));

async function judgeKind(session: Session, tally: Tally, kind: Kind): Promise<void> {
  const writes = workspaceEndpoints.filter((one) => kindOf(one) === kind && one.method !== 'GET');
  const refused = (await Promise.all(writes.map((endpoint) => refusedWrites(session, tally, endpoint)))).flat();
  if (refused.length === 0) {
    return;
  }
  const withMethod = (method: string): RefusedWrite[] => refused.filter(({ endpoint }) => endpoint.method === method);
  const reuse = begunAfter(session, ...refused.map(({ answer }) => answer));
  await judgeList(session, tally, kind, {
    reuse,
    creations: withMethod('POST'),
    deletion: withMethod('DELETE')[0],
  });
  if (withMethod('PATCH').length > 0) {
    await judgeView(session, tally, kind as Readable, { reuse, changes: withMethod('PATCH') });
  }
  if (kind === 'bookings' && !(await deletesOthersToo(session, kind))) {
    tally.judge(await announcedDespiteRefusal(session, refused));
  }
}

/** The refusals of a write without a key, with unknown keys, and with the limited key. */
async function refusedWrites(session: Session, tally: Tally, endpoint: Endpoint): Promise<RefusedWrite[]> {
  const limited = givenKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const keys: readonly (readonly [ApiKey | null, string])[] = [
    [null, 'workspace.auth.missing-key'],
    ...neverIssuedKeys(session).map((key) => [key, 'workspace.auth.invalid-key'] as const),
    ...(limited === undefined ? [] : [[limited, 'workspace.auth.forbidden'] as const]),
  ];
  const refused: RefusedWrite[] = [];
  for (const [key, clause] of keys) {
    await judgePart(tally, async () => {
      const call = await callWithKey(session, endpoint, key);
      if (call.answer.status === 401 || call.answer.status === 403) {
        refused.push({ ...call, endpoint });
      } else if (key !== limited || !isSuccess(call.answer)) {
        tally.leaveOpen(notRefused(call.answer, clause));
      }
    });
  }
  return refused;
}

interface ListEffects {
  readonly reuse: MayReuse;
  readonly creations: readonly RefusedWrite[];
  readonly deletion: RefusedWrite | undefined;
}

/** The list shows the record that should not have been deleted, and nothing that should not have been created. */
async function judgeList(
  session: Session,
  tally: Tally,
  kind: Kind,
  { reuse, creations, deletion }: ListEffects,
): Promise<void> {
  const record = kind === 'leads' ? await mainLead(session) : await (await deletionTarget(session, kind)).current();
  const search = await findInListUntil(session, record, ({ isShown }) => isShown, { reuse });
  for (const creation of creations) {
    judgeCreation(session, tally, kind, creation, search);
  }
  if (deletion !== undefined) {
    await judgeDeletion(session, tally, kind as Deletable, { deletion, record, search });
  }
}

const pagesOf = ({ first, last }: ListSearch): readonly Answer[] => [first, last];

function judgeCreation(session: Session, tally: Tally, kind: Kind, creation: RefusedWrite, search: ListSearch): void {
  const { words } = creation;
  const showing = pagesOf(search).find(({ json }) => words !== null && mentions(json, words));
  if (showing !== undefined) {
    noteCreated(session, creation);
    tally.judge(tookEffect(showing, creation, `${words} is listed`));
  } else if (search.isShown) {
    tally.judge(null);
  } else {
    tally.leaveOpen(notShown(search.last, kind));
  }
}

/** What a refused create made is the run's: where the API cannot delete it, the ledger keeps it for the report. */
function noteCreated({ ledger }: Session, { words }: RefusedWrite): void {
  for (const entry of ledger.all().filter(({ tag, lasting }) => tag === words && lasting)) {
    ledger.accept(entry);
  }
}

interface DeletionEffect {
  readonly deletion: RefusedWrite;
  readonly record: Created;
  readonly search: ListSearch;
}

async function judgeDeletion(
  session: Session,
  tally: Tally,
  kind: Deletable,
  { deletion, record, search }: DeletionEffect,
): Promise<void> {
  if (await deletesOthersToo(session, kind)) {
    const message = `Whether a refused deletion of ${kind} took effect is unknown: an accepted one deletes others too`;
    tally.leaveOpen(findingOn(search.last, { message, blames: endpointOf(deleting(kind)).clause }));
    return;
  }
  const failed = failedDeletion(session, record);
  if (failed !== undefined) {
    const message = `Whether a refused deletion of ${record.id} took effect is unknown: one that was not refused ended with ${failed.response?.status}`;
    tally.leaveOpen(findingOn({ exchange: failed }, { message, blames: 'workspace.errors.no-server-error' }));
  } else if (search.isShown) {
    const isCancelled = kind === 'bookings' && (await cancelledRowTest(session))(search.row);
    tally.judge(isCancelled ? tookEffect(search.last, deletion, `${record.id} is cancelled`) : null);
  } else if (await isGone(session, kind, record, search)) {
    tally.judge(tookEffect(search.last, deletion, `${record.id} is gone`));
  } else {
    tally.leaveOpen(notShown(search.last, kind));
  }
}

/** A deletion of the record that got a 5xx: it may have been done all the same. */
const failedDeletion = (session: Session, record: Created): Exchange | undefined =>
  deletionsOf(session, record).find(({ response }) => (response?.status ?? 0) >= 500);

/** Whether a record that a search did not find is gone: the complete list would show it, or reads would find it. */
async function isGone(session: Session, kind: Deletable, record: Created, search: ListSearch): Promise<boolean> {
  if (pagesOf(search).some(({ json }) => mentions(json, record.tag)) || (await isRead(session, kind, record))) {
    return false;
  }
  return search.isComplete ? listsRecords(session, kind) : readsAnother(session, kind, record);
}

/** Whether a read finds another record of the kind: then one that it does not find is gone. */
async function readsAnother(session: Session, kind: Deletable, { id }: Created): Promise<boolean> {
  const first = kind === 'agents' ? assertCreated(await firstRecord(session, kind)) : null;
  return first !== null && first.id !== id && (await isRead(session, kind, first));
}

/** Whether the list shows records that the run created. */
async function listsRecords(session: Session, kind: Deletable): Promise<boolean> {
  if (kind !== 'agents') {
    return showsBoth(session, kind);
  }
  const first = assertCreated(await firstRecord(session, kind));
  return (await resultOrNull(findCreated(session, first)))?.isShown === true;
}

const isRead = async (session: Session, kind: Deletable, { id }: Created): Promise<boolean> =>
  kind === 'agents' && isSuccess(await send(session, reading('agents'), { id }));

const mainLead = async (session: Session): Promise<Created> => assertCreated(await mainRecord(session, 'leads'));

/** The record shows no words of refused changes: in its row, if that shows accepted changes, or in its detail view. */
async function judgeView(
  session: Session,
  tally: Tally,
  kind: Readable,
  { reuse, changes }: { readonly reuse: MayReuse; readonly changes: readonly RefusedWrite[] },
): Promise<void> {
  const { record, later, values } = await mainChange(session, kind);
  if (!isSuccess(later) || !mentions(later.json, record.tag)) {
    const message = `What refused changes leave behind is unknown: ${reading(kind)} does not show the run's words`;
    tally.leaveOpen(findingOn(later, { message, blames: endpointOf(reading(kind)).clause }));
    return;
  }
  const { row, last } = await findInList(session, record.collection, record, { reuse });
  const showsAcceptedChange = row !== undefined && missingIn({ json: row }, values).length === 0;
  const view = showsAcceptedChange ? last : await send(session, reading(kind), { id: record.id });
  const shown = showsAcceptedChange ? row : view.json;
  for (const change of changes) {
    const { words } = change;
    if (words !== null) {
      tally.judge(mentions(shown, words) ? tookEffect(view, change, `${words} shows in it`) : null);
    }
  }
}
