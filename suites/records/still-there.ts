import type { Exchange } from '../../results/exchange.ts';
import { resultOrNull } from '../engine/parts.ts';
import { mentions } from '../reading/own-words.ts';
import { rawRows, rowPlace } from '../reading/rows.ts';
import { isSuccess } from '../session/answer.ts';
import type { OwnRecord } from '../session/evidence/own-records.ts';
import type { ApiKey } from '../session/key.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { step } from '../session/step.ts';
import { nounOf, readingOf } from './collections.ts';
import { readPages } from './list-reading.ts';
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
function deletionsOf({ evidence, records }: Session, record: IdentifiedRecord): Exchange[] {
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

/** Collections in which a deletion was seen to have no effect. */
const ineffective = step(async () => new Set<string>());

/** Notes that a deletion was accepted and had no effect, so that others of the collection may have had none. */
export async function noteIneffective(session: Session, collection: string): Promise<void> {
  (await ineffective(session)).add(collection);
}

/** The deleted records that are listed still, where a deletion had no effect. Puts them on the ledger again. */
export async function leftByDeletions(session: Session): Promise<readonly Entry[]> {
  const left: Entry[] = [];
  for (const collection of await ineffective(session)) {
    left.push(...(await stillListed(session, collection)));
  }
  for (const entry of left) {
    session.ledger.reopen(entry);
  }
  return left;
}

async function stillListed(session: Session, collection: string): Promise<Entry[]> {
  const noun = nounOf(collection);
  const pages = (await resultOrNull(readPages(session, `GET ${collection}`))) ?? [];
  const rows = pages.flatMap((page) => rawRows(page, noun));
  const deleted = session.ledger.all().filter((entry) => entry.collection === collection && entry.gone === true);
  return deleted.filter(({ id, idNames = [], tag }) => {
    const row = id === undefined ? undefined : rows[rowPlace(rows, noun, { id, idNames, tag })];
    return row !== undefined && !isShownGone(row);
  });
}
