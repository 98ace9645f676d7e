import type { JsonObject } from '../../../common/json.ts';
import type { Finding } from '../../../results/verdict.ts';
import { resultOrNull, toldOrNull } from '../../engine/parts.ts';
import { mentions } from '../../reading/own-words.ts';
import { recordIn } from '../../reading/record.ts';
import { isRecord, rowsIn } from '../../reading/rows.ts';
import { isUnguessable } from '../../reading/unguessable.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import type { Session } from '../../session/session.ts';
import type { Kind } from '../kinds.ts';
import { showsCancelled } from './booking-state.ts';
import { tookAnother } from './judge-deletions.ts';
import { type Deletion, recordStory } from './story.ts';

/** The finding on another booking of the run that a cancellation cancelled too; null: it did not, or nothing shows it. */
export function otherCancelledBooking(session: Session, { record, other, search }: Deletion): Finding | null {
  if (showsCancelled(recordIn(record.answer.json, 'booking'))) {
    return null;
  }
  // The run cancels others only when the story is told.
  const cancelledRows = (rowsIn(search.last.json, 'booking') ?? []).filter(showsCancelled);
  const isRowOf = ({ id = '', tag }: Entry, row: JsonObject): boolean =>
    isRecord(row, 'booking', { id, tag }) && (isUnguessable(id) || mentions(row, tag));
  const cancelled = session.ledger
    .all()
    .filter((one) => one.collection === record.collection && one.id !== record.id)
    .find((one) => cancelledRows.some((row) => isRowOf(one, row)));
  const taken = other?.isLost ? other.record : cancelled;
  const end = other?.isLost ? 'removed' : 'cancelled';
  return taken === undefined
    ? null
    : tookAnother(search.last, { noun: 'booking', deleted: record.id, taken: taken.id ?? taken.tag, end });
}

/** Whether an accepted deletion deletes others of the kind, too: a missing record then proves nothing. */
export async function deletesOthersToo(session: Session, kind: Kind): Promise<boolean> {
  if (kind !== 'agents' && kind !== 'bookings') {
    return false;
  }
  const story = await resultOrNull(recordStory(session, kind));
  const deletion = story && toldOrNull(story.deletion);
  return (
    deletion !== null &&
    (deletion.other?.isLost === true || (kind === 'bookings' && otherCancelledBooking(session, deletion) !== null))
  );
}
