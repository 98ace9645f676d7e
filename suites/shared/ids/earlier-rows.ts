import { at, type JsonObject } from '../../../common/json.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { rowsIn } from '../../session/reading/rows.ts';
import { idsOf } from '../../session/reading/shown-ids.ts';
import { isUnguessable } from '../../session/reading/unguessable.ts';
import type { Session } from '../../session/session.ts';
import { wasDeleted } from '../clean-up/still-there.ts';
import { nounOf } from '../collections.ts';
import type { NewRecord } from './new-record.ts';

/**
 * The rows that lists showed before a record was created: they are those of other records. What the run has deleted
 * since is left out: its id may be given out anew.
 */
export function rowsBefore(
  session: Session,
  { collection, maker, answer }: Pick<NewRecord, 'collection' | 'maker' | 'answer'>,
): readonly JsonObject[] {
  const { api, evidence } = session;
  const noun = nounOf(collection);
  const isBefore = ({ endpoint, number, receivedAt }: Exchange): boolean =>
    endpoint === `GET ${collection}` && number < answer.exchange.number && receivedAt <= answer.exchange.sentAt;
  const rows = evidence.exchanges.filter(isBefore).flatMap(({ response, keyLabel }) => {
    const shown = rowsIn(at(response?.json, api.payload), noun) ?? [];
    // Another store may count its ids alike, but not draw the same ones.
    return isOfStore(keyLabel, maker.label) ? shown : shown.filter((row) => idsOf(row, noun).some(isUnguessable));
  });
  // Many lists show the same rows.
  const different = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
  return different.filter((row) => !idsOf(row, noun).some((id) => wasDeleted(session, { collection, id })));
}

/**
 * Whether a key reads the store in which a record was made. The keys of one workspace do; another store may count its
 * ids alike.
 */
export const isOfStore = (label: string | null, maker: string): boolean =>
  label === maker || (/^WORKSPACE_/.test(label ?? '') && label !== 'WORKSPACE_OTHER_API_KEY');
