import { isObject, type JsonObject } from '../../../../common/json.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { mentions } from '../../../reading/own-words.ts';
import { recordIn } from '../../../reading/record.ts';
import { rowsIn } from '../../../reading/rows.ts';
import { begunAfter } from '../../../records/list-reading.ts';
import { findInList, findInListUntil, type ListSearch, readUntil } from '../../../records/list-search.ts';
import { isStillListed, ownRowPlace, rowFromCreate } from '../../../records/listed-records.ts';
import { deleteRecord } from '../../../records/own.ts';
import { firstFoundView } from '../../../records/reads.ts';
import { noteIneffective } from '../../../records/still-there.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { changeAndNeighbours } from '../changes/changed-neighbours.ts';
import { reading } from '../kinds.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { listedPair, searchForSecond, secondRecord, showsBoth } from '../records/listed-pair.ts';
import { firstRecord } from '../records/run-records.ts';
import { secondAgent } from '../records/second-agent.ts';
import { hasReachedState, showsCancelled, stateAfterCancellation, stateInstead } from './booking-state.ts';

/** The deletion of a record of the run's. */
export interface Deletion {
  readonly record: Created;
  readonly answer: Answer;
  /** Which of the record's ids it was deleted by. */
  readonly id: string;
}

/** The deletion of an agent, and what reads show of it and of another one afterwards. */
export interface AgentDeletion extends Deletion {
  /** The detail view of the deleted agent. */
  readonly later: Answer;
  /** Where the list shows the deleted agent. */
  readonly search: ListSearch;
  /** Its row before, or one made up of what the other one shows. */
  readonly before: ReturnType<typeof rowFromCreate>;
  readonly other: Created;
  /** Where the list showed the other agent after its change, while both existed; null: it was not changed. */
  readonly otherListed: ListSearch | null;
  /** Whether the other agent is gone, too. */
  readonly isOtherLost: boolean;
}

/** Deletes the second agent, after the first was changed, and reads both. Throws Inconclusive where one is missing. */
export const agentDeletion = step(async (session): Promise<AgentDeletion> => {
  const other = assertCreated(await firstRecord(session, 'agents'));
  const record = await secondAgent(session);
  const isChangeJudged = session.clauses.has('workspace.agents.update');
  const change = isChangeJudged ? await resultOrNull(changeAndNeighbours(session, 'agents')) : null;
  const otherListed =
    change !== null && isSuccess(change.later) ? await searchAfterChange(session, other, change.answer) : null;
  const before = await rowBefore(session, record, other, otherListed?.row);
  const answer = await deleteRecord(session, record);
  const { id } = record;
  const later = await readUntil(
    session,
    () => send(session, reading('agents'), { id: record.id }),
    ({ status }) => status === 404,
  );
  const reuse = begunAfter(session, answer);
  const search = await findInListUntil(session, record, (found) => !isStillListed(found, before, record), { reuse });
  if (isSuccess(answer) && isSuccess(later) && mentions(later.json, record.tag)) {
    await noteIneffective(session, record.collection);
  }
  const wasOtherThere = change === null || !isSuccess(change.answer) || isSuccess(change.later);
  const { isShown } = await findInList(session, other.collection, other, { reuse });
  // An agent that is not listed may be found by reads.
  const isOtherLost = isSuccess(answer) && wasOtherThere && !isShown && (await isNotFound(session, other));
  return { record, answer, id, later, search, before, other, otherListed, isOtherLost };
});

/** Where the list shows the changed agent, by the look that also serves those who ask what the change did. */
const searchAfterChange = (session: Session, record: Created, change: Answer): Promise<ListSearch> =>
  findInListUntil(session, record, ({ isShown, isComplete }) => isShown || !isComplete, {
    reuse: begunAfter(session, change),
  });

/** The row of an agent before any list shows it: the answer to its create, filled up with what another one shows. */
async function rowBefore(
  session: Session,
  record: Created,
  other: Created,
  otherRow: JsonObject | undefined,
): Promise<AgentDeletion['before']> {
  const view = await resultOrNull(firstFoundView(session, reading('agents'), other.id));
  const made = rowFromCreate(record);
  return { ...made, row: filledUp(made.row ?? {}, filledUp(recordIn(view?.json, 'agent') ?? {}, otherRow)) };
}

/** A record with fields that are missing or null taken from another one of its kind; in objects within it, too. */
const filledUp = (record: JsonObject, other: JsonObject = {}): JsonObject => {
  const filled = Object.entries(record).map(([name, value]) => {
    const otherValue = other[name];
    return [name, isObject(value) && isObject(otherValue) ? filledUp(value, otherValue) : (value ?? otherValue)];
  });
  return { ...other, ...Object.fromEntries(filled) };
};

/** Whether reads get 404 for an agent throughout KEY_SETTLE_MS. */
async function isNotFound(session: Session, { id }: Created): Promise<boolean> {
  const read = (): Promise<Answer> => send(session, reading('agents'), { id });
  return (await readUntil(session, read, ({ status }) => status !== 404)).status === 404;
}

/** A cancelled booking, and what the list shows of it and of another one. */
export interface Cancellation extends Deletion {
  /** The record with the id that it was cancelled by as its only one. */
  readonly cancelled: Created;
  /** Whether the list showed it before, and another booking at the same time. */
  readonly wasListedWithOther: boolean;
  /** Where the list showed it before; null: no list did. */
  readonly listed: ListSearch | null;
  /** Its row before, or the answer to its create. */
  readonly before: JsonObject | undefined;
  /** Where the list shows it afterwards. */
  readonly search: ListSearch;
  /** The booking that was not cancelled, and where the list shows it afterwards; null: there is none. */
  readonly other: { readonly record: Created; readonly search: ListSearch } | null;
  /** How many calls the run had sent when it had read that. */
  readonly callsBefore: number;
}

/** Cancels the first booking while a second one exists. Throws Inconclusive where there is no booking. */
export const bookingCancellation = step(async (session): Promise<Cancellation> => {
  const record = assertCreated(await firstRecord(session, 'bookings'));
  const second = await resultOrNull(secondRecord(session, 'bookings'));
  const wasListedWithOther = await showsBoth(session, 'bookings');
  const pair = await resultOrNull(listedPair(session, 'bookings'));
  const before = pair?.first.row ?? recordIn(record.answer.json, 'booking');
  const answer = await deleteRecord(session, record);
  const { id } = record;
  const cancelled = isSuccess(answer) ? { ...record, id } : record;
  const isScheduled = (row: JsonObject | undefined): boolean => stateAfterCancellation(before, row) === 'scheduled';
  const isDone = (found: ListSearch): boolean =>
    !isScheduled(found.row) && stateInstead(before, found.row, rowsOfPage(found)) === undefined;
  const search = await findInListUntil(session, cancelled, (found) => !isSuccess(answer) || isDone(found), {
    placeOf: (rows) => ownRowPlace(rows, cancelled),
  });
  if (isSuccess(answer) && search.isShown && isScheduled(search.row)) {
    await noteIneffective(session, record.collection);
  }
  const other = second && { record: second, search: await searchForSecond(session, 'bookings', search, second) };
  const callsBefore = session.client.sent;
  const listed = pair?.first ?? null;
  return { record, cancelled, answer, id, wasListedWithOther, listed, before, search, other, callsBefore };
});

/** The bookings on the page of a list on which a search ended. */
export const rowsOfPage = ({ last }: Pick<ListSearch, 'last'>): readonly JsonObject[] =>
  rowsIn(last.json, 'booking') ?? [];

/** Gives a test of rows: whether a booking shows that it is cancelled, or has the state of the run's cancelled one. */
export async function cancelledRowTest(session: Session): Promise<(row: JsonObject | undefined) => boolean> {
  const cancellation = await resultOrNull(bookingCancellation(session));
  return (row = {}) =>
    showsCancelled(row) ||
    (cancellation !== null && hasReachedState(row, cancellation.before, cancellation.search.row));
}
