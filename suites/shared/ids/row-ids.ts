import type { JsonObject } from '../../../common/json.ts';
import type { ApiKey } from '../../session/key.ts';
import { idsOf } from '../../session/reading/record.ts';
import { showsSureId } from '../../session/reading/rows.ts';
import type { Session } from '../../session/session.ts';
import { nounOf, readingOf } from '../collections.ts';
import { idsIn, onlyIts, withFurther, wordsOfItsOwn } from './ids-in-row.ts';
import { onlyReadable } from './readable-id.ts';

/** A row of a list, in which words of the run's stand. */
export interface WordedRow {
  readonly collection: string;
  readonly row: JsonObject;
  readonly tag: string;
  /** The other rows of the list. */
  readonly others: readonly JsonObject[];
  /** Nothing of the list stands on another page. */
  readonly isComplete: boolean;
}

/**
 * The ids by which a row's record may be deleted: the only one that is surely its own, or else the only one that a read takes. What
 * other rows show in the same field is that of an account, say. None: nothing proves one.
 */
export async function provenIdsOfRow(
  session: Session,
  { collection, row, tag, others, isComplete }: WordedRow,
  key: ApiKey,
): Promise<readonly string[]> {
  const noun = nounOf(collection);
  const ids = idsIn(row, { own: [], inRow: idsOf(row, noun), shown: [], others, body: null });
  const isSure = showsSureId(row, noun);
  const reading = readingOf(session.api.endpoints, collection);
  const [only, ...more] = ids;
  if (isSure && more.length === 0) {
    return only === undefined || reading !== undefined ? ids : withFurther(row, noun, only, { others, isComplete });
  }
  if (reading === undefined) {
    return onlyIts(ids, others, isSure && isComplete);
  }
  const words = ids.length > 0 ? ids : wordsOfItsOwn(row, others);
  return onlyReadable(session, { tag, maker: key }, words, reading);
}
