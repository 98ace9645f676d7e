import { encoded } from '../../../common/uri.ts';
import type { Kind } from '../../../fixtures/workspace-bodies.ts';
import type { Finding } from '../../../results/verdict.ts';
import { findingOn } from '../../engine/expect.ts';
import { resultOrNull, settle } from '../../engine/parts.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Entry } from '../../session/ledger.ts';
import { isRecord, mentions, recordIn, rowsIn } from '../../session/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { noteIneffective } from '../../shared/ineffective.ts';
import { createRecord, deleteById } from '../../shared/records.ts';
import { lookFor, lookUntil, readUntil, type Sighting } from '../../shared/sighting.ts';
import { isStillScheduled, showsCancelled, stateAtFirst } from './booking-state.ts';
import { arrivals } from './caused-events.ts';
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
  return { record, answer, id, wasBeside, sighting, beside };
});

/** Another booking that the cancellation took; null where there is none, or nothing shows it. */
export async function cancelledBeside(session: Session, cancellation: Cancellation): Promise<Finding | null> {
  const { record, wasBeside, beside } = cancellation;
  if (beside === null || showsCancelled(recordIn(record.answer.json, 'booking'))) {
    return null;
  }
  const { isShown, isComplete, last } = beside.sighting;
  const isGone = wasBeside && !isShown && isComplete && isSuccess(last);
  const taken = isGone ? beside.record : await cancelledUnasked(session, cancellation, last);
  return taken === undefined
    ? null
    : findingOn(last, {
        message: `Cancelling one booking cancels another too: ${taken.id} is ${isGone ? 'no longer listed' : 'cancelled'} since ${record.id} was cancelled`,
        expected: 'one booking cancelled',
        actual: 'another one as well',
        place: 'body',
      });
}

/** A booking of the run's that the list shows cancelled, and that no call had tried to cancel by then. */
async function cancelledUnasked(session: Session, { record }: Cancellation, list: Answer): Promise<Entry | undefined> {
  const rows = rowsIn(list.json, 'booking')?.filter(showsCancelled) ?? [];
  const others = session.ledger.all().filter((one) => one.collection === record.collection && one.id !== record.id);
  const cancelled = others.filter(({ id, tag }) => rows.some((row) => isRecord(row, 'booking', { id, tag })));
  if (cancelled.length > 0) {
    // What is cancelled on purpose meanwhile has its answer then.
    await settle(arrivals(session));
  }
  const asked = session.evidence.exchanges.filter(
    ({ request, response, sentAt }) =>
      request.method === 'DELETE' &&
      // Of one moment: only what is accepted may have been first.
      sentAt < list.exchange.receivedAt + Number(response !== null && response.status < 400),
  );
  return cancelled.find(({ id = '' }) => !asked.some(({ request }) => request.url.endsWith(`/${encoded(id)}`)));
}

/** Whether an accepted deletion takes other records of the kind too: what is gone then shows nothing, and no more is deleted. */
export async function takesOthers(session: Session, kind: Kind): Promise<boolean> {
  if (kind === 'agents') {
    return agentsDeletionIsJudged(session) && (await resultOrNull(agentDeleted(session)))?.lost === true;
  }
  const cancellation = kind === 'bookings' ? await resultOrNull(bookingCancelled(session)) : null;
  return cancellation !== null && (await cancelledBeside(session, cancellation)) !== null;
}
