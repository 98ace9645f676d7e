import type { JsonObject } from '../../../common/json.ts';
import { isEndpoint } from '../../../contract/endpoints.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { rowsIn } from '../../session/reading/rows.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { readFirstPage } from './list-reading.ts';

/** The rows of the first page of a collection's list, read now or before; none where no list shows any. */
export async function shownRows(session: Session, collection: string): Promise<readonly JsonObject[]> {
  const list = `GET ${collection}`;
  const answer = isEndpoint(list) ? await resultOrNull(readFirstPage(session, list, { reuse: () => true })) : null;
  return answer?.accepted ? (rowsIn(answer.payload, nounOf(collection)) ?? []) : [];
}
