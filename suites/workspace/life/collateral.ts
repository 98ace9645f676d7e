import type { JsonObject } from '../../../common/json.ts';
import type { Finding } from '../../../results/verdict.ts';
import { resultOrNull, settle, toldOrNull } from '../../engine/parts.ts';
import { mentions } from '../../reading/own-words.ts';
import { recordIn } from '../../reading/record.ts';
import { isRecord, rowsIn } from '../../reading/rows.ts';
import { isUnguessable } from '../../reading/unguessable.ts';
import { deletionsOf } from '../../records/still-there.ts';
import type { Answer } from '../../session/answer.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import type { Session } from '../../session/session.ts';
import { arrivals } from '../events/arrivals.ts';
import type { Kind } from '../kinds.ts';
import type { CreatedKind } from '../records/run-records.ts';
import { hasReachedState, showsCancelled } from './booking-state.ts';
import { tookAnother } from './judge-deletions.ts';
import { type Deletion, recordStory } from './story.ts';

/** The finding on another booking that a cancellation cancelled too; null: it did not, or nothing shows it. */
export async function otherCancelledBooking(session: Session, deletion: Deletion): Promise<Finding | null> {
  const { record, other } = deletion;
  if (other === null || showsCancelled(recordIn(record.answer.json, 'booking'))) {
    return null;
  }
  const { last } = other.search;
  const taken = other.isLost ? other.record : await cancelledWithoutCall(session, deletion, last);
  const end = other.isLost ? 'removed' : 'cancelled';
  return taken === undefined
    ? null
    : tookAnother(last, { noun: 'booking', deleted: record.id, taken: taken.id ?? taken.tag, end });
}

/** A booking that the list shows as cancelled though no call had tried to cancel it by then; undefined: none. */
async function cancelledWithoutCall(session: Session, deletion: Deletion, list: Answer): Promise<Entry | undefined> {
  const { record, callsBefore } = deletion;
  const rows = rowsIn(list.json, 'booking') ?? [];
  const cancelledRows = rows.filter(cancelledLike(deletion));
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

/** Gives a test of rows: whether a booking shows that it is cancelled, or has the state of the cancelled one. */
export const cancelledLike =
  (deletion: Pick<Deletion, 'before' | 'search'> | null) =>
  (row: JsonObject = {}): boolean =>
    showsCancelled(row) || (deletion !== null && hasReachedState(row, deletion.before.row, deletion.search.row));

/** The same test, with what the run has cancelled. */
export const cancelledRowTest = async (session: Session): Promise<(row: JsonObject | undefined) => boolean> =>
  cancelledLike(await deletionOrNull(session, 'bookings'));

/** Whether an accepted deletion deletes others of the kind, too: a missing record then proves nothing. */
export async function deletesOthersToo(session: Session, kind: Kind): Promise<boolean> {
  const deletion = kind === 'agents' || kind === 'bookings' ? await deletionOrNull(session, kind) : null;
  if (deletion === null || kind === 'agents') {
    return deletion?.other?.isLost === true;
  }
  return (await otherCancelledBooking(session, deletion)) !== null;
}

async function deletionOrNull(session: Session, kind: CreatedKind): Promise<Deletion | null> {
  const story = await resultOrNull(recordStory(session, kind));
  return story && toldOrNull(story.deletion);
}
