import { isObject, type JsonObject } from '../../../../common/json.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { recordIn } from '../../../session/reading/record.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { noteIneffective } from '../../../shared/clean-up/ineffective.ts';
import { begunAfter } from '../../../shared/lists/list-reading.ts';
import { findInList, findInListUntil, type ListSearch, readUntil } from '../../../shared/lists/list-search.ts';
import { isStillListed, rowFromCreate } from '../../../shared/lists/listed-records.ts';
import { firstFoundView } from '../../../shared/reads.ts';
import { deleteById } from '../../../shared/records.ts';
import { changedBeside } from '../changes/changed-beside.ts';
import { reading } from '../kinds.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { besideIn, listedTogether, secondOf, showsBoth } from '../records/listed-together.ts';
import { firstRecord } from '../records/records.ts';
import { secondAgent } from '../records/second-agent.ts';
import { endsAs, showsCancelled, standingOf } from './booking-state.ts';

/** A record of the run's that was deleted. */
export interface Deletion {
  readonly record: Created;
  readonly answer: Answer;
  /** The one of its ids under which it was deleted. */
  readonly id: string;
}

/** A deleted agent, and what is left of it and of the other one. */
export interface AgentDeletion extends Deletion {
  /** The detail view of what was deleted. */
  readonly later: Answer;
  /** Where it stands in the list afterwards, and its row or one like it before. */
  readonly search: ListSearch;
  readonly before: ReturnType<typeof rowFromCreate>;
  readonly other: Created;
  /** Where the other one stood in the list once it was changed, while both were there; null: it was not changed. */
  readonly stood: ListSearch | null;
  /** The other one is gone too. */
  readonly lost: boolean;
}

/**
 * Deletes an agent made for that, once another was changed beside it, and looks what is left of both. Throws Inconclusive where
 * none can be made.
 */
export const agentDeleted = step(async (session): Promise<AgentDeletion> => {
  const other = assertCreated(await firstRecord(session, 'agents'));
  const record = await secondAgent(session);
  const isChanged = session.clauses.has('workspace.agents.update');
  const change = isChanged ? await resultOrNull(changedBeside(session, 'agents')) : null;
  const stood = change !== null && isSuccess(change.later) ? await stillListed(session, other, change.answer) : null;
  const like = await resultOrNull(firstFoundView(session, reading('agents'), other.id));
  const made = rowFromCreate(record);
  const others = completed(recordIn(like?.json, 'agent') ?? {}, stood?.row);
  const before = { ...made, row: completed(made.row ?? {}, others) };
  const { answer, id } = await deleteById(session, record);
  const view = (one: string): Promise<Answer> => send(session, reading('agents'), { id: one });
  const later = await readUntil(
    session,
    () => view(record.id),
    ({ status }) => status === 404,
  );
  const reuse = begunAfter(session, answer);
  const search = await findInListUntil(session, record, (found) => !isStillListed(found, before, record), { reuse });
  if (isSuccess(answer) && isSuccess(later) && mentions(later.json, record.tag)) {
    await noteIneffective(session, record.collection);
  }
  const wasThere = change === null || !isSuccess(change.answer) || isSuccess(change.later);
  const beside = await findInList(session, record.collection, other, { reuse });
  // What is not listed may be read all the same.
  const isGone = isSuccess(answer) && wasThere && !beside.isShown;
  const lost =
    isGone &&
    (
      await readUntil(
        session,
        () => view(other.id),
        ({ status }) => status !== 404,
      )
    ).status === 404;
  return { record, answer, id, later, search, before, other, stood, lost };
});

/** A record with what another one of its kind shows and the answer to its create left out, in objects within it too. */
const completed = (record: JsonObject, like: JsonObject = {}): JsonObject => {
  const filled = Object.entries(record).map(([name, value]) => {
    const other = like[name];
    return [name, isObject(value) && isObject(other) ? completed(value, other) : (value ?? other)];
  });
  return { ...like, ...Object.fromEntries(filled) };
};

/** By the look that shows what the change did. */
const stillListed = (session: Session, other: Created, change: Answer): Promise<ListSearch> =>
  findInListUntil(session, other, ({ isShown, isComplete }) => isShown || !isComplete, {
    reuse: begunAfter(session, change),
  });

/** A cancelled booking, and what the list shows of it and of another one. */
export interface Cancellation extends Deletion {
  /** The record under that id. */
  readonly cancelled: Created;
  /** The list showed it before, and another one at once. */
  readonly wasBeside: boolean;
  /** What was shown of it before. */
  readonly before: JsonObject | undefined;
  readonly search: ListSearch;
  /** The booking that nobody cancelled, and where it stands afterwards; null: no other could be made. */
  readonly beside: { readonly record: Created; readonly search: ListSearch } | null;
  /** How many calls had been sent when that was seen. */
  readonly sentByThen: number;
}

/** Cancels the first booking while another one stands. Throws Inconclusive where there is none. */
export const bookingCancelled = step(async (session): Promise<Cancellation> => {
  const record = assertCreated(await firstRecord(session, 'bookings'));
  const other = await resultOrNull(secondOf(session, 'bookings'));
  const wasBeside = await showsBoth(session, 'bookings');
  const together = await resultOrNull(listedTogether(session, 'bookings'));
  const before = together?.first.row ?? recordIn(record.answer.json, 'booking');
  const { answer, id } = await deleteById(session, record);
  // Of several ids that is its own by which it was deleted.
  const cancelled = isSuccess(answer) ? { ...record, id } : record;
  const search = await findInListUntil(
    session,
    cancelled,
    ({ row }) => !isSuccess(answer) || standingOf(before, row) !== 'scheduled',
  );
  if (isSuccess(answer) && search.isShown && standingOf(before, search.row) === 'scheduled') {
    await noteIneffective(session, record.collection);
  }
  const beside = other && { record: other, search: await besideIn(session, 'bookings', search, other) };
  const sentByThen = session.client.sent;
  return { record, cancelled, answer, id, wasBeside, before, search, beside, sentByThen };
});

/** Tells from a row whether its booking is cancelled: it says so, or shows the state that the run's own cancellation has brought about. */
export async function cancelledTeller(session: Session): Promise<(row: JsonObject | undefined) => boolean> {
  const cancellation = await resultOrNull(bookingCancelled(session));
  return (row = {}) =>
    showsCancelled(row) || (cancellation !== null && endsAs(row, cancellation.before, cancellation.search.row));
}
