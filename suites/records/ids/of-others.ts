import { type JsonObject, walk } from '../../../common/json.ts';
import { secretsIn } from '../../../settings/settings.ts';
import { mentions } from '../../reading/own-words.ts';
import { rowsIn } from '../../reading/rows.ts';
import { idsOf } from '../../reading/shown-ids.ts';
import type { Answer } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { hasTextSent } from './as-sent.ts';
import { isTellingHintOf } from './secrets.ts';

/**
 * Whether a row of a list is that of a record which was there before the run created any, whatever words it shows: such
 * as a log of what was sent last. It has an id that was listed then, or shows how a given key begins or ends.
 */
export const isOfOther = (session: Session, collection: string, row: JsonObject): boolean =>
  idsOf(row, nounOf(collection)).some((id) => session.ledger.isOther(collection, id)) || showsGivenKey(session, row);

/**
 * Whether a list shows that a create with these words made a record: a row has a text of its body, and is not of others.
 * Where no rows can be found, the words suffice.
 */
export function showsAsOwn(session: Session, collection: string, list: Answer, words: string): boolean {
  const rows = rowsIn(list.payload, nounOf(collection));
  return rows === undefined
    ? mentions(list.json, words)
    : rows.some((row) => hasTextSent(session, row, { collection, tag: words }) && !isOfOther(session, collection, row));
}

const showsGivenKey = ({ settings }: Session, row: JsonObject): boolean =>
  walk(row).some(
    ({ value }) => typeof value === 'string' && secretsIn(settings).some((secret) => isTellingHintOf(secret, value)),
  );
