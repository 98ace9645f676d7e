import { at, type JsonObject, parseJson, scalarText, walk } from '../../common/json.ts';
import { createRedactor } from '../../common/redact.ts';
import { decoded, fitsInUrl } from '../../common/uri.ts';
import { alphanumeric } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import { shapeName } from '../../settings/bodies-file.ts';
import { resultOrNull } from '../engine/check.ts';
import { isRecognised, showsOthers, wordsPattern } from '../reading/own-words.ts';
import { idIn, idsOf, isUnguessable, recordIn, type ShownId, shownIds } from '../reading/record.ts';
import { readByShape, rowsIn, shapeOf } from '../reading/rows.ts';
import { type Answer, type ApiKey, isSuccess } from '../session/call.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { type Session, step } from '../session/session.ts';
import { canDelete, canRead, nounOf, readPages } from './reads.ts';

// What may be the id of a record of the run, and what is known to be that of others.

/** A record that the run asked for, and what is known of it. */
export interface Claim {
  /** Its line in the ledger, with its collection and the words that stand in this record and in no other. */
  readonly entry: Entry;
  /** The key that made it, or one of its account. */
  readonly maker: ApiKey;
  /** The body of its create: the ids in it are those of other records. */
  readonly body?: unknown;
  /** The answer to its create; undefined: an earlier run got it. */
  readonly answer?: Answer;
}

/** The values in the answer to a create that may be the record's id, likeliest first. */
export function candidatesOf(session: Session, claim: Claim): readonly ShownId[] {
  const { answer, entry } = claim;
  const noted = (entry.answeredIds ?? []).map((id): ShownId => ({ id, place: '' }));
  const shown = answer === undefined ? noted : shownInAnswer(session, claim, answer);
  return shown.filter(mayBeOwn(session, claim));
}

/**
 * The ids that the answer to a create shows: where the user says, at the end of Location, and by convention. None where
 * it shows another record: the newest one of all, or the one that somebody has with the same address.
 */
function shownInAnswer(session: Session, { entry }: Claim, answer: Answer): readonly ShownId[] {
  const { collection, tag } = entry;
  const noun = nounOf(collection);
  const isOfAnother = answer.unredacted(({ payload }) => showsOthers(recordIn(payload, noun), entry));
  if (isOfAnother && !isRecognised(answer.payload, entry)) {
    return [];
  }
  const shown = answer.unredacted(({ payload }) => shownIds(payload, noun, tag));
  if (isIdTold(session, collection)) {
    const id = answer.unredacted(({ payload }) => idIn(payload, noun));
    return shown.filter((one) => one.id === id);
  }
  const located = locatedId(answer, collection);
  const place = shown.find(({ id }) => id === located)?.place ?? 'Location';
  return located === undefined ? shown : [{ id: located, place }, ...shown.filter(({ id }) => id !== located)];
}

/** Whether the user says where the ids of a collection stand. */
export const isIdTold = ({ shapes }: Session, collection: string): boolean =>
  shapeOf(shapes, `POST ${collection}`)?.id !== undefined;

/** The id to which the Location of an answer leads; undefined: it leads to no record of the collection. */
export function locatedId(answer: Answer, collection: string): string | undefined {
  const location = answer.unredacted(({ header }) => header('Location')) ?? '';
  const segments = location.replace(/[?#].*/s, '').split('/');
  // The base URL may have the collection's name in its path, too.
  const place = segments.lastIndexOf(collection.split('/').at(-1) ?? '');
  const id = place < 0 ? undefined : segments[place + 1];
  return id === undefined || id === '' ? undefined : decoded(id);
}

/**
 * A test whether a value may be the id of the record: not one that was listed before, is that of another record of the
 * run, was sent, or holds the key that was sent.
 */
export function mayBeOwn(session: Session, claim: Claim): (shown: ShownId) => boolean {
  const { body, maker, entry } = claim;
  const { collection } = entry;
  const others = session.ledger.all().filter((one) => one.number !== entry.number);
  const listed = idsListedBefore(session, claim);
  const isOfOther = (id: string): boolean =>
    session.ledger.isOther(collection, id) ||
    others.some((one) => one.collection === collection && one.id === id && one.gone !== true) ||
    listed.has(id);
  const isGiven = ({ id, place }: ShownId): boolean =>
    walk(body).some((found) => scalarText(found.value) === id && (isUnguessable(id) || found.name === nameOf(place)));
  return (one) => fitsInUrl(one.id) && !isOfOther(one.id) && !isGiven(one) && !holdsKey(session, maker, one.id);
}

/** Whether a text holds a key, however written: it may not go into URLs and the ledger. */
export function holdsKey({ redactor }: Session, { secret }: ApiKey, text: string): boolean {
  // The session's redactor knows all secrets: where it finds any, that may be another one, such as the new key's.
  if (redactor.clean(text) === text) {
    return false;
  }
  const own = createRedactor();
  own.learn(secret);
  return own.clean(text) !== text;
}

/** The advice to tell in BODIES where the id of a new record stands, with the likeliest place that its answer shows. */
export function adviceOnId(collection: string, { unredacted }: Answer): string {
  const [likeliest] = unredacted(({ payload }) => shownIds(payload, nounOf(collection), ''));
  const shape = { [shapeName(collection)]: { id: likeliest === undefined ? '/…' : `/${nameOf(likeliest.place)}` } };
  return `Add this to BODIES, with the place of the id: "shapes": ${JSON.stringify(shape)}`;
}

/** The name of the field at a place. */
export const nameOf = (place: string): string => place.split('/').at(-1) ?? '';

// --- Records of others

/** Whether a row of a list is that of a record which was there before the run created any, whatever words it shows. */
export const isOfOther = (session: Session, collection: string, row: JsonObject): boolean =>
  idsOf(row, nounOf(collection)).some((id) => session.ledger.isOther(collection, id));

/**
 * The ids that lists showed before a record was created: they are those of other records. What the run has deleted
 * since is left out: its id may be given out anew.
 */
function idsListedBefore(session: Session, { entry: { collection }, maker, answer }: Claim): ReadonlySet<string> {
  if (answer === undefined) {
    return new Set();
  }
  const isBefore = ({ number, receivedAt }: Exchange): boolean =>
    number < answer.exchange.number && receivedAt <= answer.exchange.sentAt;
  const isDeleted = session.records.deletedIn(collection);
  const rows = idsOfRows(session, collection, maker, isBefore);
  return new Set(rows.flatMap((ids) => (ids.some(isDeleted) ? [] : ids)));
}

/** The ids of each row that reads of a list have shown in the store of a key; of those that `isRead` holds for. */
function idsOfRows(
  { api, shapes, evidence }: Session,
  collection: string,
  { label }: ApiKey,
  isRead: (exchange: Exchange) => boolean = () => true,
): readonly (readonly string[])[] {
  const list = `GET ${collection}`;
  const noun = nounOf(collection);
  const reads = evidence.exchanges.filter((exchange) => exchange.endpoint === list && isRead(exchange));
  return reads.flatMap(({ response, keyLabel }) => {
    const json = response?.json;
    const { payload } = readByShape(shapeOf(shapes, list), list, json, at(json, api.payload));
    const ids = (rowsIn(payload, noun) ?? []).map((row) => idsOf(row, noun));
    // The keys of one workspace read one store. Another may count its ids alike, but not draw the same ones.
    const isOfWorkspace = /^WORKSPACE_(?!OTHER)/.test(keyLabel ?? '');
    return isOfWorkspace || keyLabel === label ? ids : ids.filter((some) => some.some(isUnguessable));
  });
}

/**
 * Notes the records that the list shows before the run creates any: whatever lists and answers say later, they are not
 * the run's. Made once a run for each collection, before the first create is sent. Gives whether all of the list was
 * read.
 */
export const noteOthers = step(
  async (session, collection: string, maker: ApiKey): Promise<boolean> => {
    // What cannot be deleted needs no call for it: what was read anyway will do, as it does where reads show whose a
    // record is. Where none does, the whole list is read.
    const isViewed = canRead(collection);
    const listed = () => idsOfRows(session, collection, maker);
    const isRead = !canDelete(collection) || (isViewed && listed().length > 0);
    const options = { key: maker, until: () => isViewed };
    const pages = isRead ? null : await resultOrNull(readPages(session, `GET ${collection}`, options));
    // Of several short numbers in a row, one may number the rows.
    const idsOfOthers = listed().flatMap((ids) => ids.filter((id) => isUnguessable(id) || ids.length === 1));
    session.ledger.noteOthers(collection, idsOfOthers);
    return pages?.at(-1)?.goesOn === false && pages.every(({ answer }) => isSuccess(answer));
  },
  (collection, _maker) => collection,
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
