import { at, type JsonObject, parseJson, walk } from '../../common/json.ts';
import { oncePerObject } from '../../common/once-per-object.ts';
import { unescapedAlphanumeric } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import { resultOrNull } from '../engine/parts.ts';
import { standsIn } from '../reading/own-words.ts';
import { rowsIn } from '../reading/rows.ts';
import { shapeOf, told } from '../reading/shapes.ts';
import { idsOf } from '../reading/shown-ids.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { canDelete, nounOf, readingOf } from './collections.ts';
import { readPages } from './list-reading.ts';
import { wasDeleted } from './still-there.ts';

/** A create that was answered. */
interface AnsweredCreate {
  readonly collection: string;
  readonly maker: ApiKey;
  readonly answer: Answer;
}

/** Whether a list showed a record with that id before a create: then the id is not that of the new record. */
export const wasListedBefore = (session: Session, create: AnsweredCreate, id: string): boolean =>
  rowsBefore(session, create).some((row) => idsOf(row, nounOf(create.collection)).includes(id));

/** Whether a row of a list is that of a record which was there before the run created any, whatever words it shows. */
export const isOfOther = (session: Session, collection: string, row: JsonObject): boolean =>
  idsOf(row, nounOf(collection)).some((id) => session.ledger.isOther(collection, id));

/**
 * The rows that lists showed before a record was created: they are those of other records. What the run has deleted
 * since is left out: its id may be given out anew.
 */
export function rowsBefore(session: Session, { collection, maker, answer }: AnsweredCreate): readonly JsonObject[] {
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
    // What cannot be deleted needs no call for it: what was read anyway will do. Where no read shows whose a record is,
    // the whole list is read.
    const isViewed = readingOf(session.api.endpoints, collection)?.isView === true;
    if (canDelete(collection) && !(isViewed && wasListed(session, collection, maker))) {
      const most = isViewed ? 1 : Infinity;
      await resultOrNull(readPages(session, `GET ${collection}`, { key: maker, reuse: () => true, most }));
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
const isOfStore = (label: string | null, maker: string): boolean =>
  label === maker || (/^WORKSPACE_/.test(label ?? '') && label !== 'WORKSPACE_OTHER_API_KEY');

/** The words of a create. */
interface Sent {
  readonly collection: string;
  readonly tag: string;
}

/**
 * Whether a row shows the words of a create, and only as it sent them, in any spelling. Somebody's copy of a record may
 * have its words with an addition.
 */
export function isAsSent(session: Session, row: JsonObject, sent: Sent): boolean {
  const shown = shownTexts(session, row, sent);
  return shown.length > 0 && shown.every(({ isSent }) => isSent);
}

/** The texts of a row with the words of a create. Few rows have any: what was sent is read for those alone. */
function shownTexts(session: Session, row: JsonObject, sent: Sent): readonly { readonly isSent: boolean }[] {
  const shown = textsWith(row, sent.tag);
  if (shown.length === 0) {
    return [];
  }
  const texts = textsSent(session, sent);
  return shown.map((text) => ({ isSent: texts.has(unescapedAlphanumeric(text)) }));
}

const textsSent = ({ evidence }: Session, { collection, tag }: Sent): ReadonlySet<string> =>
  new Set(
    evidence.exchanges
      .filter(({ endpoint }) => endpoint === `POST ${collection}`)
      .flatMap(({ request }) => textsWith(parseJson(request.body ?? ''), tag))
      .map(unescapedAlphanumeric),
  );

const textsWith = (json: unknown, words: string): readonly string[] =>
  walk(json).flatMap(({ value }) => (typeof value === 'string' && standsIn(value, words) ? [value] : []));
