import { type JsonObject, walk } from '../../../common/json.ts';
import { isRecognised } from '../../session/reading/fingerprint.ts';
import { mentions } from '../../session/reading/own-words.ts';
import type { Page } from '../../session/reading/pages.ts';
import { recordIn, type ShownId } from '../../session/reading/record.ts';
import { rawRows, rowsIn, showsSureId, unnamedIdsOfRow } from '../../session/reading/rows.ts';
import { isUnguessable } from '../../session/reading/unguessable.ts';
import type { Session } from '../../session/session.ts';
import { nounOf, type readingOf } from '../collections.ts';
import { readList } from '../lists/list-reading.ts';
import { findInListUntil, type ListSearch } from '../lists/list-search.ts';
import { type Among, idsIn, isAlike, onlyIts, rivalsOf, wordsOfItsOwn } from './ids-in-row.ts';
import { idAsOf, idPlacedAs, withoutReferences } from './like-another.ts';
import { isGiven, onlyReadable, placeOf, toldIn } from './readable-id.ts';
import { safeIds, strangersIn } from './safe-ids.ts';
import { mostTried, showsWords, type Unidentified } from './tried-ids.ts';

/** Its row: by its words or, where the answer to the create shows none, by the id in it; the row has to show the fingerprint then. */
async function rowOf(session: Session, made: Unidentified, own: readonly string[]): Promise<ListSearch> {
  const { collection, tag, maker, fingerprint } = made;
  const look = (id: string | undefined): Promise<ListSearch> =>
    findInListUntil(session, { collection, id, tag }, ({ isShown }) => isShown, { key: maker });
  const [id = onlyWord(made)] = own;
  const byId = id === undefined || showsWords(made) ? null : await look(id);
  return byId !== null && isRecognised(byId.row, tag, fingerprint) ? byId : look(undefined);
}

/** What may be an id in the answer to a create of which no field is surely called one. */
const unnamedIn = ({ collection, answer }: Unidentified): string[] =>
  answer.unredacted(({ payload }) => {
    const noun = nounOf(collection);
    const record = recordIn(payload, noun);
    return record === undefined ? [] : unnamedIdsOfRow(record, noun);
  });

/**
 * The ids that the list shows in the record's row; those first that the answer to the create shows, too. Where several may be it, or
 * none is surely called an id, a read tells.
 */
export async function fromRow(
  session: Session,
  made: Unidentified,
  shown: readonly ShownId[],
  reading: ReturnType<typeof readingOf>,
): Promise<readonly string[]> {
  const own = shown.filter(({ isOwn }) => isOwn).map(({ id }) => id);
  const search = await rowOf(session, made, own);
  const { row, last, ids, unnamed } = search;
  const noun = nounOf(made.collection);
  const listed = row !== undefined && showsSureId(row, noun) ? ids : [];
  // What the row surely calls its id tells more than what the answer to the create may call one.
  const isLikely = (id: string): boolean =>
    listed.length === 0 || listed.includes(id) || shown.some((one) => one.isOwn && one.isSure);
  const place = row === undefined ? -1 : (rowsIn(last.payload, noun) ?? []).indexOf(row);
  const rows = rawRows(last, noun);
  const otherRows = rows.filter((one, index) => index !== place && !mentions(one, made.tag));
  const found =
    row === undefined
      ? own
      : idsIn(row, { own: own.filter(isLikely), inRow: ids, shown, others: otherRows, body: made.body });
  const isSure = shown.some((one) => one.isOwn && one.isSure && found.includes(one.id));
  if (reading === undefined) {
    const alone = row === undefined ? undefined : wordAlone(made, rows[place] ?? row, otherRows);
    if (alone !== undefined) {
      return [alone];
    }
    const placed = isSure ? undefined : await idPlacedAs(made, shown);
    if (placed !== undefined) {
      return [placed];
    }
    const ids = isSure ? found : await withoutReferences(made, found);
    // What the answer shows is of others: the row may tell its own. No number tells more than a word that nobody can guess.
    const notGiven = unnamed.filter((id) => !isGiven(made, id));
    const others = ids.length > 0 ? notGiven.filter(isUnguessable) : [...notGiven, ...listed];
    const words = isSure ? ids : [...new Set([...others, ...ids])];
    const [only, ...more] = words;
    if (only !== undefined && more.length === 0) {
      const told = isSure ? shown.flatMap((one) => (one.isOwn && one.isSure ? [one.id] : [])) : [];
      return row === undefined ? [] : ofRow(session, made, only, rows[place], { ...search, otherRows, told });
    }
    return only === undefined ? [] : withoutRead(session, made, words, { ...search, isSure, otherRows });
  }
  const readableWords = (): Promise<readonly string[]> => {
    // Unredacted: an id may begin as secrets do.
    const [whole] = rows.slice(place, place + 1);
    const words = row === undefined || whole === undefined ? [] : wordsOfItsOwn(whole, otherRows);
    // Where the answer to the create shows nothing, the row alone may tell: what it calls an id first.
    const told = shown.length > 0 ? toldIn(made, words) : [...found, ...words.filter((word) => !isGiven(made, word))];
    return onlyReadable(session, made, told, reading);
  };
  // A read shows whether what stands in no list that was read is the id, too.
  const others = row === undefined && shown.length === 0 && reading.isView ? unnamedIn(made) : unnamed;
  if (others.length > 0 && !isSure) {
    const readable = await onlyReadable(session, made, [...found, ...toldIn(made, others)], reading);
    return readable.length > 0 ? readable : readableWords();
  }
  if (row === undefined && found.length === 1) {
    return onlyReadable(session, made, found, reading);
  }
  const tried = found.length < 2 ? [] : await onlyReadable(session, made, found, reading);
  const readable = tried.length > 0 ? tried : await readableWords();
  return readable.length > 0 || row === undefined ? readable : found;
}

/** A word as languages write it: `created`, `Created`, `OK`. */
const isPlainWord = (text: string): boolean => /^(?:[A-Za-z][a-z]*|[A-Z]+)$/.test(text);

/** What a create answers with and nothing else, where it is no plain word. */
const onlyWord = ({ answer }: Unidentified): string | undefined =>
  answer.unredacted(({ payload }) =>
    typeof payload === 'string' && payload !== '' && !isPlainWord(payload) ? payload : undefined,
  );

/** That word, where it stands in the record's row and in no other: its id. */
function wordAlone(made: Unidentified, row: JsonObject, others: readonly JsonObject[]): string | undefined {
  const word = onlyWord(made);
  const shows = (one: JsonObject): boolean => walk(one).some(({ value }) => value === word);
  return word !== undefined && shows(row) && !others.some(shows) ? word : undefined;
}

/** The other rows, and what the answer to the create surely calls an id of the record. */
interface Beside {
  readonly otherRows: readonly JsonObject[];
  readonly told: readonly string[];
}

/** The only id that the row surely shows, and what else the row and the answer to the create call one. */
async function ofRow(
  session: Session,
  made: Unidentified,
  id: string,
  row: JsonObject | undefined,
  { isOnePage, otherRows, told }: Pick<ListSearch, 'isOnePage'> & Beside,
): Promise<readonly string[]> {
  const among = { others: otherRows, isComplete: isOnePage };
  const ids = await safeIds(session, made, id, { ...among, shown: row });
  const isTold = (one: string): boolean => one === id || placeOf(made.answer, one) !== undefined;
  // What the list alone calls its id, or the answer alone, may be what paths take, too.
  const further = onlyIts(told, strangersIn(session, otherRows), isOnePage).filter((one) => !ids.includes(one));
  return [...ids, ...further].sort((one, other) => Number(isTold(other)) - Number(isTold(one)));
}

/** The rows of other records on all pages of a record's list: one may have on the next page what is no other's on this one. */
async function onAllPages(session: Session, { collection, maker: key, tag }: Unidentified): Promise<Among> {
  const pages: Page[] = [];
  for await (const page of (await readList(session, `GET ${collection}`, { key, reuse: () => true })).pages()) {
    pages.push(page);
  }
  const rows = pages.flatMap(({ answer }) => rawRows(answer, nounOf(collection)));
  return { others: rows.filter((row) => !mentions(row, tag)), isComplete: pages.at(-1)?.complete === true };
}

/** Of several ids of a record that no call reads, the one that another kind has in that field, and those that are nobody else's. */
async function withoutRead(
  session: Session,
  made: Unidentified,
  ids: readonly string[],
  {
    row,
    ids: listed,
    isSure,
    isOnePage,
    ...search
  }: ListSearch & { isSure: boolean; otherRows: readonly JsonObject[] },
): Promise<readonly string[]> {
  const alike = await idAsOf(made, ids);
  const { others: otherRows, isComplete } =
    row === undefined || isOnePage
      ? { others: search.otherRows, isComplete: isOnePage }
      : await onAllPages(session, made);
  const isSecret = (id: string): boolean => /secret|sign|token/i.test(placeOf(made.answer, id) ?? '');
  const likely = isSure ? ids : row === undefined ? [] : toldIn(made, ids).filter((id) => !isSecret(id));
  const areAll = row !== undefined && isComplete;
  const strangers = strangersIn(session, otherRows);
  // Where none stands beside another id of its form, none can be another's.
  const areApart =
    isSure &&
    row !== undefined &&
    likely.every((id) => rivalsOf(row, nounOf(made.collection), id, otherRows).length === 0);
  const own = (areApart ? likely : onlyIts(likely, strangers, areAll)).slice(0, mostTried);
  // What the list alone calls its id may be what paths take, too.
  const further = own.length === 0 ? [] : onlyIts(listed, strangers, areAll).filter((id) => !own.includes(id));
  if (alike === undefined) {
    return [...own, ...further];
  }
  const mayBeAnothers =
    !alike.isClear &&
    onlyIts([alike.id], strangers, areAll).length === 0 &&
    ids.some((one) => one !== alike.id && isAlike(one, alike.id));
  return [...(mayBeAnothers ? [] : [alike.id]), ...own.filter((id) => id !== alike.id)];
}
