import { resultOrNull } from '../../engine/parts.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { readingOf } from '../collections.ts';
import { firstView } from '../reads.ts';
import { listedConfirmedRecord, showsInField } from './listed-confirmed-record.ts';
import type { KnownRecord, NewRecord } from './new-record.ts';

/**
 * The confirmed record: one of another kind whose id a read has confirmed, with an answer or a row that shows this id in
 * a field. Where no answer shows one of the run so, it is one that a list shows. null: there is none, or its id is not
 * known either.
 */
export async function findConfirmedRecord(
  session: Session,
  { confirmedRecord, maker: key, collection: own }: NewRecord,
): Promise<KnownRecord | null> {
  const record = await resultOrNull(confirmedRecord?.() ?? Promise.resolve(null));
  if (record?.id === undefined) {
    return listedConfirmedRecord(session, own, key);
  }
  const { id, collection, answer } = record;
  const reading = readingOf(session.api.endpoints, collection);
  if (showsInField(answer, id) || reading?.isView !== true) {
    return record;
  }
  // The first read may have come before the record could be found.
  const first = await resultOrNull(firstView(session, reading.id, id, key));
  const view = first?.accepted ? first : await resultOrNull(send(session, reading.id, { id, key }));
  const seen = view?.accepted ? { ...record, answer: view } : record;
  return showsInField(seen.answer, id) ? seen : ((await listedConfirmedRecord(session, own, key)) ?? seen);
}
