import { at, type JsonObject, parseJson, walk } from '../../common/json.ts';
import { alphanumeric, unescapedAlphanumeric } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import { resultOrNull } from '../engine/check.ts';
import { wordsPattern } from '../reading/own-words.ts';
import { idsOf } from '../reading/record.ts';
import { rowsIn } from '../reading/rows.ts';
import { readByShape, shapeOf } from '../reading/shapes.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { type Answer, type ApiKey, isSuccess } from '../session/call.ts';
import { type ListedRow, type Session, stepFor } from '../session/session.ts';
import { canDelete, nounOf, readingOf, readPages } from './lists.ts';

/** A create that was answered. */
interface AnsweredCreate {
  readonly collection: string;
  readonly maker: ApiKey;
  readonly answer: Answer;
}

/** Whether a row of a list is that of a record which was there before the run created any, whatever words it shows. */
export const isOfOther = (session: Session, collection: string, row: JsonObject): boolean =>
  idsOf(row, nounOf(collection)).some((id) => session.ledger.isOther(collection, id));

/**
 * The ids that lists showed before a record was created: they are those of other records. What the run has deleted
 * since is left out: its id may be given out anew.
 */
export function idsListedBefore(session: Session, { collection, maker, answer }: AnsweredCreate): ReadonlySet<string> {
  const isBefore = ({ number, receivedAt }: Exchange): boolean =>
    number < answer.exchange.number && receivedAt <= answer.exchange.sentAt;
  const isDeleted = session.records.deletedIn(collection);
  const rows = listedRows(session, { collection, label: maker.label }, isBefore);
  return new Set(rows.flatMap(({ ids }) => (ids.some(isDeleted) ? [] : ids)));
}

/** The rows that reads of a list have shown in the store of the key with that label; those that `isRead` holds for. */
export function listedRows(
  session: Session,
  { collection, label }: { readonly collection: string; readonly label: string },
  isRead: (exchange: Exchange) => boolean = () => true,
): readonly ListedRow[] {
  const list = `GET ${collection}`;
  const reads = session.evidence.exchanges.filter((exchange) => exchange.endpoint === list && isRead(exchange));
  return reads.flatMap((read) => {
    const rows = rowsOfRead(session, list, read);
    // Another store may count its ids alike, but not draw the same ones.
    return isOfStore(read.keyLabel, label) ? rows : rows.filter(({ ids }) => ids.some(isUnguessable));
  });
}

/** The rows of a read, found once: every create asks for those of all reads before it. */
function rowsOfRead({ api, shapes, rowsOfReads }: Session, list: string, read: Exchange): readonly ListedRow[] {
  const noun = nounOf(list);
  const json = read.response?.json;
  const find = () => rowsIn(readByShape(shapeOf(shapes, list), list, json, at(json, api.payload)).payload, noun) ?? [];
  const rows = rowsOfReads.get(read) ?? find().map((row) => ({ row, ids: idsOf(row, noun) }));
  rowsOfReads.set(read, rows);
  return rows;
}

/**
 * Notes the records that the list shows before the run creates any: whatever lists and answers say later, they are not
 * the run's. Made once a run for each collection, before the first create is sent. Gives whether all of the list was
 * read.
 */
export const noteOthers = stepFor(
  (collection: string, _maker: ApiKey) => collection,
  async (session, collection, maker): Promise<boolean> => {
    // What cannot be deleted needs no call for it: what was read anyway will do, as it does where reads show whose a
    // record is. Where none does, the whole list is read.
    const isViewed = readingOf(session.api.endpoints, collection)?.isView === true;
    const listed = () => listedRows(session, { collection, label: maker.label });
    const isRead = !canDelete(collection) || (isViewed && listed().length > 0);
    const options = { key: maker, reuse: () => true, until: () => isViewed };
    const pages = isRead ? null : await resultOrNull(readPages(session, `GET ${collection}`, options));
    // Of several short numbers in a row, one may number the rows.
    const idsOfOthers = listed().flatMap(({ ids }) => ids.filter((id) => isUnguessable(id) || ids.length === 1));
    session.ledger.noteOthers(collection, idsOfOthers);
    return pages?.at(-1)?.goesOn === false && pages.every(({ answer }) => isSuccess(answer));
  },
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
 * Whether a row shows the words of a create, and only as they were sent, in any spelling. Somebody's copy of a record
 * may have its words with an addition. A later clean-up does not know what was sent: of it the words alone are sure.
 */
export function isAsSent({ evidence }: Session, row: JsonObject, { collection, tag }: Sent): boolean {
  const shown = textsWith(row, tag);
  const isWrite = ({ endpoint }: Exchange): boolean =>
    endpoint === `POST ${collection}` || endpoint === `PATCH ${collection}/:id`;
  // Few rows have any: what was sent is read for those alone. A change may have made another record.
  const writes = shown.length === 0 ? [] : evidence.exchanges.filter(isWrite);
  const sent = writes.flatMap(({ request }) => textsWith(parseJson(request.body ?? ''), tag));
  return shown.length > 0 && shown.every((text) => text === alphanumeric(tag) || sent.includes(text));
}

/** The texts of a document with the words, in one spelling. */
function textsWith(json: unknown, words: string): readonly string[] {
  const pattern = wordsPattern(words);
  return walk(json).flatMap(({ value }) =>
    typeof value === 'string' && pattern.test(value) ? [unescapedAlphanumeric(value)] : [],
  );
}
