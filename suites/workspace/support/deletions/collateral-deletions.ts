import type { JsonObject } from '../../../../common/json.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import { mentions } from '../../../reading/own-words.ts';
import { recordIn } from '../../../reading/record.ts';
import { isRecord, rowsIn } from '../../../reading/rows.ts';
import { isUnguessable } from '../../../reading/unguessable.ts';
import { deletionsOf } from '../../../records/still-there.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Entry } from '../../../session/ledger/ledger.ts';
import type { Session } from '../../../session/session.ts';
import { arrivals } from '../events/arrivals.ts';
import type { Kind } from '../kinds.ts';
import { isAgentDeletionJudged } from '../records/second-agent.ts';
import { showsCancelled } from './booking-state.ts';
import { agentDeletion, bookingCancellation, type Cancellation, cancelledRowTest } from './deletions.ts';
import { tookAnother } from './gone.ts';

/** The finding on another booking that a cancellation cancelled too; null: it did not, or nothing shows it. */
export async function otherCancelledBooking(session: Session, cancellation: Cancellation): Promise<Finding | null> {
  const { record, wasListedWithOther, other } = cancellation;
  if (other === null || showsCancelled(recordIn(record.answer.json, 'booking'))) {
    return null;
  }
  const { isShown, isComplete, last } = other.search;
  const isGone = wasListedWithOther && !isShown && isComplete && isSuccess(last);
  const taken = isGone ? other.record : await cancelledWithoutCall(session, cancellation, last);
  const end = isGone ? 'removed' : 'cancelled';
  return taken === undefined
    ? null
    : tookAnother(last, { noun: 'booking', deleted: record.id, taken: taken.id ?? taken.tag, end });
}

/** A booking that the list shows as cancelled though no call had tried to cancel it by then; undefined: none. */
async function cancelledWithoutCall(
  session: Session,
  { record, callsBefore }: Cancellation,
  list: Answer,
): Promise<Entry | undefined> {
  const rows = rowsIn(list.json, 'booking') ?? [];
  const cancelledRows = rows.filter(await cancelledRowTest(session));
  const made = session.ledger.all().filter((one) => one.collection === record.collection);
  // A guessable id may be the number of somebody's row: where rows show the run's words, its own have them.
  const showsWords = rows.some((row) => made.some(({ tag }) => mentions(row, tag)));
  const isRowOf = ({ id = '', tag }: Entry, row: JsonObject): boolean =>
    isRecord(row, 'booking', { id, tag }) && (!showsWords || isUnguessable(id) || mentions(row, tag));
  const others = made.filter(({ id }) => id !== record.id);
  const cancelled = others.filter((one) => cancelledRows.some((row) => isRowOf(one, row)));
  if (cancelled.length > 0) {
    // A cancellation that is under way has its answer, and so its exchange, when all arrivals are awaited.
    await settle(arrivals(session));
  }
  const hadNoCall = ({ collection, id = '' }: Entry): boolean =>
    deletionsOf(session, { collection, id }).every(({ number }) => number > callsBefore);
  return cancelled.find(hadNoCall);
}

/** Whether an accepted deletion deletes others of the kind, too: a missing record then proves nothing. */
export async function deletesOthersToo(session: Session, kind: Kind): Promise<boolean> {
  if (kind === 'agents') {
    return isAgentDeletionJudged(session) && (await resultOrNull(agentDeletion(session)))?.isOtherLost === true;
  }
  const cancellation = kind === 'bookings' ? await resultOrNull(bookingCancellation(session)) : null;
  return cancellation !== null && (await otherCancelledBooking(session, cancellation)) !== null;
}
