import { findLists, type JsonObject, walk } from '../../../common/json.ts';
import { findMainList } from '../../../common/main-list.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer, whyNoAnswer } from '../../engine/expect.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import { isRecognised } from '../../session/reading/fingerprint.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { pagesOf } from '../../session/reading/pages.ts';
import { idsOf } from '../../session/reading/shown-ids.ts';
import type { Session } from '../../session/session.ts';
import { isShownGone } from '../clean-up/shown-gone.ts';
import { nounOf } from '../collections.ts';
import { provenIdsOfRow, type WordedRow } from './row-ids.ts';

/**
 * The ids of the record that shows the words of a ledger entry; none: no record shows them. Throws Inconclusive where
 * that cannot be decided.
 */
export async function findByWords(session: Session, entry: Entry, key: ApiKey): Promise<readonly string[]> {
  const call = callOf(endpointOf(`GET ${entry.collection}`), key);
  const first = await session.client.send(call);
  if (!first.accepted) {
    throw unknown(
      whyNoAnswer(first) ??
        `its id is not known for certain, and ${call.method} ${call.path} gets ${describeAnswer(first)}`,
    );
  }
  const others = session.ledger.all().flatMap((one) => (one.collection === entry.collection ? (one.id ?? []) : []));
  let [goesOn, isRead] = [false, false];
  for await (const page of pagesOf(session.client, call, first)) {
    const found = page.answer.unredacted(({ payload }) => rowByWords(payload, entry, others));
    if (found !== null) {
      const isComplete = page.complete && page.answer === first;
      const ids = await provenIdsOfRow(session, { ...entry, ...found, isComplete }, key);
      if (ids.length === 0) {
        throw unknown('its id is not known, and nothing in its row of the list is surely it');
      }
      return ids;
    }
    [goesOn, isRead] = [page.goesOn, page.complete];
  }
  if (goesOn || entry.accepted || entry.untraceable || (entry.id !== undefined && !isRead)) {
    throw unknown('its id is not known for certain, and what was read of the list does not show it');
  }
  return [];
}

/**
 * The row of a ledger entry: the only one in which a value is the entry's words, or the only one that shows the words
 * anywhere, or the only one with the entry's fingerprint and without an id of another entry. null: there is none.
 * Throws Inconclusive where there are several.
 */
function rowByWords(
  json: unknown,
  { collection, tag, fingerprint }: Entry,
  others: readonly string[],
): Pick<WordedRow, 'row' | 'others'> | null {
  const noun = nounOf(collection);
  const rows = findMainList(json, noun)?.rows ?? findLists(json).flatMap((list) => list.rows);
  const exact = rows.filter((row) => walk(row).some(({ value }) => value === tag));
  const worded = exact.length > 0 ? exact : rows.filter((row) => mentions(row, tag));
  const isOther = (row: JsonObject): boolean => idsOf(row, noun).some((id) => others.includes(id));
  const recognised =
    fingerprint === undefined ? [] : rows.filter((row) => isRecognised(row, tag, fingerprint) && !isOther(row));
  const found = worded.length > 0 ? worded : recognised;
  if (found.length === 0 && !mentions(json, tag)) {
    return null;
  }
  const [row, ...more] = found.length > 1 ? found.filter((one) => !isShownGone(one)) : found;
  if (row === undefined || more.length > 0) {
    throw unknown(
      `its id is not known, and ${found.length} records of the list ${worded.length > 0 ? `hold "${tag}"` : 'refer to what it refers to'}`,
    );
  }
  return { row, others: rows.filter((one) => one !== row) };
}

const unknown = (message: string): Inconclusive => new Inconclusive({ message });
