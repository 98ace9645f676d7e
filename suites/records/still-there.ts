import type { Exchange } from '../../results/exchange.ts';
import { resultOrNull } from '../engine/parts.ts';
import { mentions } from '../reading/own-words.ts';
import { isSuccess } from '../session/answer.ts';
import type { OwnRecord } from '../session/evidence/own-records.ts';
import type { ApiKey } from '../session/key.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { readingOf } from './collections.ts';
import { findInList, readUntil } from './list-search.ts';
import { isShownGone } from './shown-gone.ts';

/**
 * Whether a record exists although DELETE does not find it: no call of the run has deleted it, and a read goes on
 * showing it, and not as gone. A record that cannot be read counts as gone.
 */
export async function isStillThere(session: Session, entry: Entry, id: string, key: ApiKey): Promise<boolean> {
  if (wasDeleted(session, { collection: entry.collection, id })) {
    return false;
  }
  const read = (): Promise<boolean> => isShown(session, entry, id, key);
  return (await resultOrNull(readUntil(session, read, (shown) => !shown))) === true;
}

/** A record by its id; records of other collections may have the same one. */
type IdentifiedRecord = Pick<OwnRecord, 'collection' | 'id'>;

/** The DELETE calls of the run on a record. */
export function deletionsOf({ evidence, records }: Session, record: IdentifiedRecord): Exchange[] {
  const numbers = records.deletionsOf(record);
  return numbers.length === 0 ? [] : evidence.exchanges.filter(({ number }) => numbers.includes(number));
}

/** Whether a DELETE call of the run on a record succeeded. */
export const wasDeleted = (session: Session, record: IdentifiedRecord): boolean =>
  deletionsOf(session, record).some(({ response }) => response !== null && response.status < 300);

/** Whether a read of the record, or its list, shows it and not as gone. */
async function isShown(
  session: Session,
  { collection, tag, idNames = [] }: Entry,
  id: string,
  key: ApiKey,
): Promise<boolean> {
  const reading = readingOf(session.api.endpoints, collection);
  if (reading?.isView !== true) {
    const { row } = await findInList(session, collection, { id, idNames, tag }, { key });
    return row !== undefined && !isShownGone(row);
  }
  const view = await send(session, reading.id, { id, key });
  return isSuccess(view) && mentions(view.payload, tag);
}
