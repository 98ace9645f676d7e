import { walk } from '../../../../common/json.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { findInList, type ListSearch } from '../../../shared/lists/list-search.ts';
import type { RunKey } from './run-key.ts';

/**
 * Where the key list shows a key that is about to be deleted. It is read again where its row had a null `before`: that
 * may have become a date by the key's use, as `last_used_at` does, and would look like that of the deletion.
 */
export async function lastListing<Before extends ListSearch | null>(
  session: Session,
  record: RunKey['record'],
  before: Before,
  key?: ApiKey,
): Promise<ListSearch | Before> {
  if (!walk(before?.row).some(({ value }) => value === null)) {
    return before;
  }
  const last = await findInList(session, record.collection, record, key === undefined ? {} : { key });
  return last.isShown ? last : before;
}
