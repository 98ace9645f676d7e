import { resultOrNull } from '../../engine/parts.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { mentions } from '../../session/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { noteIneffective } from '../../shared/ineffective.ts';
import { createRecord, deleteById } from '../../shared/records.ts';
import { lookFor, lookUntil, readUntil, type Sighting } from '../../shared/sighting.ts';
import { isStillScheduled, stateAtFirst } from './booking-state.ts';
import { type Attempt, assertCreated, type Created } from './create.ts';
import { pathOf, reading } from './kinds.ts';
import { besideIn, secondOf, showsBoth } from './listed-together.ts';
import { firstRecord, recordFor } from './records.ts';

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
  readonly other: Created;
  /** The detail view of the other agent. */
  readonly kept: Answer;
  /** The other one is gone too. */
  readonly lost: boolean;
}

/** Whether the run looks at what deleting an agent does: the agent that others stand on is then chosen after it. */
export const agentsDeletionIsJudged = ({ clauses }: Session): boolean => clauses.has('workspace.agents.delete');

/**
 * Another agent, made by a call without a content type: what that gets is a question of its own. Throws Inconclusive where no body is
 * known that is taken.
 */
export const untypedAgent = step(async (session): Promise<Attempt> => {
  const first = assertCreated(await firstRecord(session, 'agents'));
  const { tag, body, fields } = await first.another();
  const creation = { tag, body, headers: { 'Content-Type': '' }, purpose: 'off-document' } as const;
  return { ...first, fields, ...(await createRecord(session, pathOf('agents'), creation)) };
});

/** An agent to delete. One that was made without a content type will do where it looks as the others do. */
async function toDelete(session: Session): Promise<Created> {
  if (session.clauses.has('workspace.requests.content-type')) {
    const first = await firstRecord(session, 'agents');
    const untyped = await resultOrNull(untypedAgent(session).then(assertCreated));
    if (untyped !== null && showsWords(untyped) === showsWords(first)) {
      return untyped;
    }
  }
  return assertCreated(await recordFor(session, 'agents', 'deleting'));
}

const showsWords = ({ answer, tag }: Attempt): boolean => mentions(answer.json, tag);

/** Deletes an agent made for that, and looks what is left of it and of the first one. Throws Inconclusive where none can be made. */
export const agentDeleted = step(async (session): Promise<AgentDeletion> => {
  const other = assertCreated(await firstRecord(session, 'agents'));
  const record = await toDelete(session);
  const { answer, id } = await deleteById(session, record);
  const view = (id: string): Promise<Answer> => send(session, reading('agents'), { id });
  const isThere = ({ status }: Answer): boolean => status !== 404;
  const later = await readUntil(
    session,
    () => view(record.id),
    (one) => !isThere(one),
  );
  if (isSuccess(answer) && isSuccess(later) && mentions(later.json, record.tag)) {
    await noteIneffective(session, record.collection);
  }
  const kept = await readUntil(session, () => view(other.id), isThere);
  // A detail view may be what does not work: the list has to say the same.
  const listed = kept.status === 404 && isSuccess(answer) ? await lookFor(session, pathOf('agents'), other) : null;
  const lost = listed !== null && !listed.isShown && listed.isComplete;
  return { record, answer, id, later, other, kept, lost };
});

/** A cancelled booking, and what the list shows of it and of another one. */
export interface Cancellation extends Deletion {
  /** The list showed it before, and another one at once. */
  readonly wasBeside: boolean;
  readonly sighting: Sighting;
  /** The booking that nobody cancelled, and where it stands afterwards; null: no other could be made. */
  readonly beside: { readonly record: Created; readonly sighting: Sighting } | null;
  /** How many calls had been sent when that was seen. */
  readonly sentByThen: number;
}

/** Cancels the first booking while another one stands. Throws Inconclusive where there is none. */
export const bookingCancelled = step(async (session): Promise<Cancellation> => {
  const record = assertCreated(await firstRecord(session, 'bookings'));
  const other = await resultOrNull(secondOf(session, 'bookings'));
  const wasBeside = await showsBoth(session, 'bookings');
  const { answer, id } = await deleteById(session, record);
  const sighting = await lookUntil(session, record, ({ row }) => !isSuccess(answer) || !isStillScheduled(record, row));
  // Of one that shows no state nothing tells whether it was cancelled.
  const showsState = stateAtFirst(record) !== undefined;
  if (isSuccess(answer) && sighting.isShown && showsState && isStillScheduled(record, sighting.row)) {
    await noteIneffective(session, record.collection);
  }
  const beside = other && { record: other, sighting: await besideIn(session, 'bookings', sighting, other) };
  const sentByThen = session.client.sent;
  return { record, answer, id, wasBeside, sighting, beside, sentByThen };
});
