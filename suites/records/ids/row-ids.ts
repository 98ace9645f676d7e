import type { JsonObject } from '../../../common/json.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { investigate } from './investigate.ts';
import { isOfOther } from './of-others.ts';
import { sourcesOf, without } from './sources.ts';

/** A row of a list that shows words of the run. */
interface WordedRow {
  readonly collection: string;
  readonly row: JsonObject;
  readonly tag: string;
  /** The other rows of the list. */
  readonly others: readonly JsonObject[];
  /** The list has no further pages. */
  readonly isComplete: boolean;
  /** The record may be too new to be found by its id. Default: it is not. */
  readonly isNew?: boolean;
}

/**
 * The ids by which the record of a row may be deleted, as the row and reads show them; none: nothing proves one, or the
 * record was there before.
 */
export async function provenIdsOfRow(session: Session, worded: WordedRow, key: ApiKey): Promise<readonly string[]> {
  const { row, others, isComplete, isNew = false } = worded;
  if (isOfOther(session, worded.collection, row)) {
    return [];
  }
  const start = without(sourcesOf(session, { ...worded, record: null, isNew }), 'list', 'all pages');
  return investigate(session, { ...start, listed: { row, others, isWhole: isComplete } }, key);
}
