import type { Kind } from '../../../../fixtures/workspace-bodies.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Entry } from '../../../session/ledger/ledger.ts';
import { recordIn } from '../../../session/reading/record.ts';
import { isRecord, rowsIn } from '../../../session/reading/rows.ts';
import type { Session } from '../../../session/session.ts';
import { deletionsOf } from '../../../shared/clean-up/still-there.ts';
import { arrivals } from '../events/arrivals.ts';
import { agentsDeletionIsJudged } from '../records/second-agent.ts';
import { showsCancelled } from './booking-state.ts';
import { agentDeleted, bookingCancelled, type Cancellation, cancelledTeller } from './deletions.ts';

/** Another booking that the cancellation took; null where there is none, or nothing shows it. */
export async function cancelledBeside(session: Session, cancellation: Cancellation): Promise<Finding | null> {
  const { record, wasBeside, beside } = cancellation;
  if (beside === null || showsCancelled(recordIn(record.answer.json, 'booking'))) {
    return null;
  }
  const { isShown, isComplete, last } = beside.search;
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
async function cancelledUnasked(
  session: Session,
  { record, sentByThen }: Cancellation,
  list: Answer,
): Promise<Entry | undefined> {
  const rows = rowsIn(list.json, 'booking')?.filter(await cancelledTeller(session)) ?? [];
  const others = session.ledger.all().filter((one) => one.collection === record.collection && one.id !== record.id);
  const cancelled = others.filter(({ id, tag }) => rows.some((row) => isRecord(row, 'booking', { id, tag })));
  if (cancelled.length > 0) {
    // What is cancelled on purpose meanwhile has its answer then.
    await settle(arrivals(session));
  }
  return cancelled.find(({ id = '' }) => deletionsOf(session, id).every(({ number }) => number > sentByThen));
}

/** Whether an accepted deletion takes other records of the kind too: what is gone then shows nothing, and no more is deleted. */
export async function takesOthers(session: Session, kind: Kind): Promise<boolean> {
  if (kind === 'agents') {
    return agentsDeletionIsJudged(session) && (await resultOrNull(agentDeleted(session)))?.lost === true;
  }
  const cancellation = kind === 'bookings' ? await resultOrNull(bookingCancelled(session)) : null;
  return cancellation !== null && (await cancelledBeside(session, cancellation)) !== null;
}
