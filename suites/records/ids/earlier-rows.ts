import { at, type JsonObject } from '../../../common/json.ts';
import { oncePerObject } from '../../../common/once-per-object.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { rowsIn } from '../../reading/rows.ts';
import { shapeOf, told } from '../../reading/shapes.ts';
import { idsOf } from '../../reading/shown-ids.ts';
import { isUnguessable } from '../../reading/unguessable.ts';
import { isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { canDelete, nounOf } from '../collections.ts';
import { readFirstPage } from '../list-reading.ts';
import { wasDeleted } from '../still-there.ts';
import type { NewRecord } from './new-record.ts';

/**
 * The rows that lists showed before a record was created: they are those of other records. What the run has deleted
 * since is left out: its id may be given out anew.
 */
export function rowsBefore(
  session: Session,
  { collection, maker, answer }: Pick<NewRecord, 'collection' | 'maker' | 'answer'>,
): readonly JsonObject[] {
  const noun = nounOf(collection);
  const isBefore = ({ number, receivedAt }: Exchange): boolean =>
    number < answer.exchange.number && receivedAt <= answer.exchange.sentAt;
  return listedRows(session, { collection, label: maker.label }, isBefore).filter(
    (row) => !idsOf(row, noun).some((id) => wasDeleted(session, { collection, id })),
  );
}

/** The rows that reads of a list have shown in the store of the key with that label; those that `isRead` holds for. */
export function listedRows(
  { api, evidence, shapes }: Session,
  { collection, label }: { readonly collection: string; readonly label: string },
  isRead: (exchange: Exchange) => boolean = () => true,
): readonly JsonObject[] {
  const noun = nounOf(collection);
  const list = `GET ${collection}`;
  const shape = shapeOf(shapes, list);
  const reads = evidence.exchanges.filter((exchange) => exchange.endpoint === list && isRead(exchange));
  const rows = reads.flatMap(({ response, keyLabel }) => {
    const payload = told(shape, list, response?.json, at(response?.json, api.payload)).payload;
    const shown = typeof payload === 'object' && payload !== null ? rowsByText(payload, noun) : [];
    // Another store may count its ids alike, but not draw the same ones.
    return isOfStore(keyLabel, label) ? shown : shown.filter(([, row]) => idsOf(row, noun).some(isUnguessable));
  });
  // Many lists show the same rows.
  return [...new Map(rows).values()];
}

/** The rows of a list, each with its JSON. The same lists are asked for after every create. */
const rowsByText = oncePerObject((list, noun): readonly (readonly [json: string, row: JsonObject])[] =>
  (rowsIn(list, noun) ?? []).map((row) => [JSON.stringify(row), row]),
);

/**
 * Notes the records that the list shows before the run creates any: whatever lists and answers say later, they are not
 * the run's. Made once a run for each collection, before the first create is sent.
 */
export const noteOthers = stepFor(
  (collection: string, _maker: ApiKey) => collection,
  async (session, collection, maker): Promise<void> => {
    const noun = nounOf(collection);
    // What cannot be deleted needs no call for it: what was read anyway will do.
    if (canDelete(collection) && !wasListed(session, collection, maker)) {
      await resultOrNull(readFirstPage(session, `GET ${collection}`, { key: maker, reuse: () => true }));
    }
    const rows = listedRows(session, { collection, label: maker.label });
    // Of several short numbers in a row, one may number the rows.
    const idsOfOthers = rows.flatMap((row) => {
      const ids = idsOf(row, noun);
      return ids.filter((id) => isUnguessable(id) || ids.length === 1);
    });
    session.ledger.noteOthers(collection, idsOfOthers);
  },
);

/** Whether a list was read that shows the maker's records, for whatever purpose. */
const wasListed = ({ evidence }: Session, collection: string, maker: ApiKey): boolean =>
  evidence.exchanges.some(
    ({ endpoint, keyLabel, response }) =>
      endpoint === `GET ${collection}` && isOfStore(keyLabel, maker.label) && response !== null && isSuccess(response),
  );

/**
 * Whether a key reads the store in which a record was made. The keys of one workspace do; another store may count its
 * ids alike.
 */
export const isOfStore = (label: string | null, maker: string): boolean =>
  label === maker || (/^WORKSPACE_/.test(label ?? '') && label !== 'WORKSPACE_OTHER_API_KEY');
