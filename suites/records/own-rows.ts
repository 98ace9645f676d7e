import { at, canonical, type JsonObject, parseJson, walk } from '../../common/json.ts';
import { alphanumeric } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import { resultOrNull } from '../engine/check.ts';
import { isRecognised, showsTimeOf, wordsPattern } from '../reading/own-words.ts';
import { idsOf, isUnguessable } from '../reading/record.ts';
import { rawRows, readByShape, rowsIn, shapeOf } from '../reading/rows.ts';
import { type ApiKey, isSuccess } from '../session/call.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { type Session, step } from '../session/session.ts';
import type { Claim } from './candidates.ts';
import type { Page } from './pages.ts';
import { canDelete, canRead, nounOf, readPages } from './reads.ts';

// Which rows of a list are those of a record of the run, and which are those of others.

/**
 * What pages of its list show of a record: all rows, each once; those with its words, or one of the `ids` and a time
 * that was sent, which are not known to be another record's; and those of them that show what was sent, and no more.
 */
export function ownRows(session: Session, claim: Claim, pages: readonly Page[], ids: readonly string[] = []) {
  const { entry, body } = claim;
  const { collection, tag, number } = entry;
  const noun = nounOf(collection);
  const all = pages.flatMap(({ answer }) => rawRows(answer, noun));
  const rows = [...new Map(all.map((row) => [canonical(row), row])).values()];
  // A rotated key and its successor have the same words, as have two records of a create that was carried out twice.
  const alike = session.ledger.all().filter((one) => one.collection === collection && one.tag === tag);
  const others = alike.filter((one) => one.number !== number);
  const ofAnother = new Set(others.flatMap(({ id, answeredIds = [] }) => [id ?? [], answeredIds].flat()));
  const own = rows.filter(
    (row) =>
      (isRecognised(row, entry) || (idsOf(row, noun).some((id) => ids.includes(id)) && showsTimeOf(row, body))) &&
      !isOfOther(session, collection, row) &&
      !idsOf(row, noun).some((id) => ofAnother.has(id)),
  );
  return { rows, own, exact: own.filter((row) => isAsSent(session, row, entry)) };
}

/** Whether a row of a list is that of a record which was there before the run created any, whatever words it shows. */
export const isOfOther = (session: Session, collection: string, row: JsonObject): boolean =>
  idsOf(row, nounOf(collection)).some((id) => session.ledger.isOther(collection, id));

/**
 * Notes the records that the list shows before the run creates any: whatever lists and answers say later, they are not
 * the run's. Made once a run for each collection, before the first create is sent. Gives whether all of the list was
 * read.
 */
export const noteOthers = step(
  async (session, collection: string, key: ApiKey): Promise<boolean> => {
    const list = `GET ${collection}`;
    const noun = nounOf(collection);
    const reads = (): readonly Exchange[] =>
      session.evidence.exchanges.filter(({ endpoint, keyLabel }) => endpoint === list && keyLabel === key.label);
    // What cannot be deleted needs no call for it: what was read anyway will do, as it does where reads show whose a
    // record is. Where none does, the whole list is read.
    const isRead = !canDelete(collection) || (canRead(collection) && reads().length > 0);
    const options = { key, until: () => canRead(collection) };
    const pages = isRead ? null : await resultOrNull(readPages(session, list, options));
    const rows = reads().flatMap(({ response }) => {
      const whole = at(response?.json, session.api.payload);
      return rowsIn(readByShape(shapeOf(session.shapes, list), list, response?.json, whole).payload, noun) ?? [];
    });
    const listed = rows.map((row) => idsOf(row, noun));
    // Of several short numbers in a row, one may number the rows.
    const idsOfOthers = listed.flatMap((ids) => ids.filter((id) => isUnguessable(id) || ids.length === 1));
    session.ledger.noteOthers(collection, idsOfOthers);
    return pages?.at(-1)?.goesOn === false && pages.every(({ answer }) => isSuccess(answer));
  },
  (collection, _key) => collection,
);

/**
 * Whether a row shows the words of a create, and only as they were sent, in any spelling. Somebody's copy of a record
 * may have its words with an addition. A later clean-up does not know what was sent: of it the words alone are sure.
 */
export function isAsSent(
  { evidence }: Session,
  row: JsonObject,
  { collection, tag }: Pick<Entry, 'collection' | 'tag'>,
  // A change may have made another record.
  calls = [`POST ${collection}`, `PATCH ${collection}/:id`],
): boolean {
  const shown = textsWith(row, tag);
  const isWrite = ({ endpoint }: Exchange): boolean => calls.includes(endpoint ?? '');
  // Few rows have any: what was sent is read for those alone.
  const writes = shown.length === 0 ? [] : evidence.exchanges.filter(isWrite);
  const sent = writes.flatMap(({ request }) => textsWith(parseJson(request.body ?? ''), tag));
  return shown.length > 0 && shown.every((text) => text === alphanumeric(tag) || sent.includes(text));
}

/** The texts of a document with the words, in one spelling. */
function textsWith(json: unknown, words: string): readonly string[] {
  const pattern = wordsPattern(words);
  return walk(json).flatMap(({ value }) =>
    typeof value === 'string' && pattern.test(value) ? [alphanumeric(value)] : [],
  );
}
