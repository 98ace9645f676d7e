import { at, type JsonObject, walk } from '../../../common/json.ts';
import { createRedactor } from '../../../common/redact.ts';
import type { Exchange } from '../../../results/exchange.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { holdsId, leavesOf } from '../../session/reading/id-places.ts';
import { rowsIn } from '../../session/reading/rows.ts';
import { shownIds } from '../../session/reading/shown-ids.ts';
import type { Session } from '../../session/session.ts';
import { wasDeleted } from '../clean-up/still-there.ts';
import { nounOf } from '../collections.ts';
import type { NewRecord } from './sources.ts';

/** Whether calls may carry an id that the rules gave, and that no read has confirmed. */
export const mayBeUsed = (session: Session, record: NewRecord, id: string): boolean =>
  id.isWellFormed() &&
  (!holdsKey(id, record.maker) || beginsSecret(record.answer, id)) &&
  !wasListedBefore(session, record, id);

/** Whether an id is the key that made the record, however written, or looks like a key: it would go into URLs and into the ledger. */
export function holdsKey(id: string, { secret }: Pick<ApiKey, 'secret'>): boolean {
  const redactor = createRedactor();
  redactor.learn(secret);
  return redactor.clean(id) !== id;
}

/** What a secret has to have after the id with which it begins. */
const restOfSecret = /^[\w~+/=.-]{16}/;

/** Whether an id is how the secret in the answer begins: some services tell keys apart by that, and it gives nothing away. */
const beginsSecret = (answer: Answer, id: string): boolean =>
  answer.unredacted(({ payload }) =>
    walk(payload).some(
      ({ value }) =>
        typeof value === 'string' &&
        value
          .split(id)
          .slice(1)
          .some((rest) => restOfSecret.test(rest)),
    ),
  );

/**
 * Whether a row of a list that was read before the create has an id where the answer to the create has it: then it is the id of another
 * record. Unless the run has deleted that one since: counted ids are given out anew.
 */
function wasListedBefore(session: Session, record: NewRecord, id: string): boolean {
  const noun = nounOf(record.collection);
  const rows = rowsBefore(session, record);
  const leaves = rows.map((row) => leavesOf(row, noun));
  const known = new Set(leaves.flat().map(({ place }) => place));
  const places = record.answer
    .unredacted(({ payload }) => leavesOf(payload, noun))
    .flatMap(({ place, text }) => (holdsId(text, id) && known.has(place) ? [place] : []));
  const hasIt = (place: string): boolean =>
    leaves.some((row) => row.some((leaf) => leaf.place === place && holdsId(leaf.text, id)));
  // Only Location shows the id, say: then any row that calls it an id has it.
  const isCalledId = (): boolean =>
    rows.some((row) =>
      shownIds(row, noun, '').some((one) => one.id === id && (one.standing === 'named' || one.standing === 'nested')),
    );
  return (places.length === 0 ? isCalledId() : places.every(hasIt)) && !wasDeleted(session, id);
}

/** The rows of all lists of the record's kind that were read before it was created. */
function rowsBefore({ api, evidence }: Session, { collection, maker, answer }: NewRecord): readonly JsonObject[] {
  const rowsOf = ({ response }: Exchange): readonly JsonObject[] =>
    rowsIn(at(response?.json, api.payload), nounOf(collection)) ?? [];
  const isBefore = ({ endpoint, number, receivedAt, keyLabel }: Exchange): boolean =>
    endpoint === `GET ${collection}` &&
    number < answer.exchange.number &&
    receivedAt <= answer.exchange.sentAt &&
    isOfStore(keyLabel, maker.label);
  return evidence.exchanges.filter(isBefore).flatMap(rowsOf);
}

/** Whether a key reads the store in which a record was made. The keys of one workspace do; another store may count its ids alike. */
export const isOfStore = (label: string | null, maker: string): boolean =>
  label === maker || (/^WORKSPACE_/.test(label ?? '') && label !== 'WORKSPACE_OTHER_API_KEY');
