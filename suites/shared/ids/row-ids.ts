import type { JsonObject } from '../../../common/json.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { investigate } from './investigate.ts';
import { sourcesOf, without } from './sources.ts';

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

export async function provenIdsOfRow(
  session: Session,
  { collection, row, tag, others, isComplete }: WordedRow,
  key: ApiKey,
): Promise<readonly string[]> {
  const start = without(sourcesOf(session, { collection, tag, record: null }), 'list', 'exemplar', 'all pages');
  const listed = { row, others, isWhole: isComplete };
  return (await investigate(session, { ...start, listed }, key)).ids;
}
