import { at, isScalar, type JsonObject, walk } from '../../common/json.ts';
import { resultOrNull } from '../engine/check.ts';
import { isRecognised, mentions, showsOthers, showsTimeOf } from '../reading/own-words.ts';
import { holdsId, idIn, idsOf, isUnguessable, recordIn, type ShownId, shownIds, showsId } from '../reading/record.ts';
import { rawRows } from '../reading/rows.ts';
import { type Answer, isSuccess } from '../session/call.ts';
import { type Session, send, step } from '../session/session.ts';
import { type Claim, candidatesOf, isIdTold, mayBeOwn, nameOf, noteOthers } from './candidates.ts';
import type { Page } from './pages.ts';
import { canRead, firstView, nounOf, type Pages, readPages, readUntil } from './reads.ts';
import { madeUpId } from './unknown-ids.ts';

// Whose a record is. Nothing is changed or deleted that is not proven here to be the run's: a read by its id shows the
// run's words; or, where no read shows the record, the id is what the answer to the create and the only row with the
// run's words show in common, and no other row has. What is not proven is left, and named.

/**
 * The id under which the record may be changed and deleted from now on; undefined: nothing proves one, and the write
 * guard is told why. `found`: the row in which a list shows it.
 */
export async function prove(session: Session, claim: Claim, found?: OwnRow): Promise<string | undefined> {
  const { entry, maker } = claim;
  const id = await (found === undefined ? idOfNew(session, claim) : idByRow(session, claim, found));
  return id !== undefined && session.writeGuard.allow(entry.collection, id, maker) ? id : undefined;
}

const idOfNew = async (session: Session, claim: Claim): Promise<string | undefined> =>
  canRead(claim.entry.collection)
    ? ((await idByRead(session, claim, candidatesOf(session, claim))) ?? (await idByList(session, claim)))
    : idAtLearntPlace(session, claim);

// Proof by a read.

/** Most ids that are read of one record. */
const mostRead = 5;

/** The first of some ids under which a read shows the run's words. A new record may take KEY_SETTLE_MS to be found. */
async function idByRead(session: Session, claim: Claim, candidates: readonly ShownId[]): Promise<string | undefined> {
  const { maker: key, answer: created } = claim;
  const view = `GET ${claim.entry.collection}/:id`;
  const ids = [...new Set(candidates.map(({ id }) => id))].slice(0, mostRead);
  const readAll = async (attempt: number): Promise<string | undefined> => {
    for (const id of ids) {
      // Clauses judge the first read of a new record. Of an older one, an earlier read may be out of date.
      const isFirst = attempt === 0 && created !== undefined;
      const answer = await resultOrNull(isFirst ? firstView(session, view, id, key) : send(session, view, { id, key }));
      const isOwn = answer !== null && showsOwn(answer, claim) && isAbout(answer, claim, ids);
      if (isOwn && (await readsDistinguish(session, claim, view, id))) {
        return id;
      }
    }
    return undefined;
  };
  return created === undefined || ids.length === 0 ? readAll(0) : readUntil(session, readAll, (id) => id !== undefined);
}

/** A record of others may hold the latest one of all, and shows its own words where the run's were sent. */
const showsOwn = ({ status, payload }: Answer, { entry }: Claim): boolean =>
  isSuccess({ status }) &&
  isRecognised(payload, entry) &&
  !showsOthers(recordIn(payload, nounOf(entry.collection)), entry);

/** Whether a read shows one of these ids, or none: one that shows another is about another record. */
const isAbout = (answer: Answer, { entry: { collection } }: Claim, ids: readonly string[]): boolean =>
  answer.unredacted(
    ({ payload }) => idIn(payload, nounOf(collection)) === undefined || ids.some((id) => showsId(payload, id)),
  );

/**
 * Whether a read by an id that no record has does not show the run's words: otherwise reads prove nothing. It is made
 * once for a kind; where it could not be made, reads prove nothing.
 */
const readsDistinguish = step(
  async (session, claim: Claim, view: string, id: string): Promise<boolean> => {
    const answer = await resultOrNull(firstView(session, view, madeUpId(id), claim.maker));
    return answer !== null && answer.status !== 0 && !showsOwn(answer, claim);
  },
  ({ entry }, _view, _id) => entry.collection,
);

// Proof by the list.

/** A row with the words of a claim, and the rows of its list, as far as they were read. */
interface OwnRow {
  readonly row: JsonObject;
  readonly rows: readonly JsonObject[];
}

/** What the first record of a kind that no read shows has taught: where the answer to a create shows the id. */
const placeLearnt = step(
  async (session, claim: Claim) => {
    const id = await idByList(session, claim);
    return { claim, id, place: candidatesOf(session, claim).find((one) => one.id === id)?.place };
  },
  ({ entry }) => entry.collection,
);

/**
 * Where the answers to creates have been seen to have the id. Where ids are counted, the list is read each time: a
 * database may answer the newest id of all.
 */
async function idAtLearntPlace(session: Session, claim: Claim): Promise<string | undefined> {
  const { claim: first, id, place } = await placeLearnt(session, claim);
  const taught = isUnguessable(id ?? '') ? candidatesOf(session, claim).find((one) => one.place === place) : undefined;
  return first === claim ? id : (taught?.id ?? idByList(session, claim));
}

async function idByList(session: Session, claim: Claim): Promise<string | undefined> {
  const found = await ownRow(session, claim);
  if (found !== undefined) {
    return idByRow(session, claim, found);
  }
  const isTold = isIdTold(session, claim.entry.collection) && !canRead(claim.entry.collection);
  return isTold ? candidatesOf(session, claim)[0]?.id : undefined;
}

/**
 * Looks for the row of a new record in its list, and again within KEY_SETTLE_MS: the only one with its words. A list
 * that shows them in several rows may join them to records of others. A record that shows no words has the row with the
 * id in the answer to its create and a time that was sent, if no list had that id before, all of which was read.
 */
async function ownRow(session: Session, claim: Claim): Promise<OwnRow | undefined> {
  const { entry, maker: key, answer, body } = claim;
  const { collection, tag } = entry;
  const isWordless =
    answer !== undefined && !mentions(answer.payload, tag) && (await noteOthers(session, collection, key));
  const mayShow = ({ id }: ShownId): boolean => isUnguessable(id) || showsTimeOf(answer?.payload, body);
  const ids = isWordless ? candidatesOf(session, claim).filter(mayShow) : [];
  const isOwn = (one: JsonObject): boolean =>
    isRecognised(one, entry) ||
    (ids.some(({ id }) => idsOf(one, nounOf(collection)).includes(id)) && showsTimeOf(one, body));
  const ownIn = (rows: readonly JsonObject[]): JsonObject | undefined => {
    const [first, ...more] = rows.filter(isOwn);
    return more.length === 0 ? first : undefined;
  };
  const rowsOn = (page: Page): readonly JsonObject[] => rawRows(page.answer, nounOf(collection));
  const until = (page: Page): boolean => ownIn(rowsOn(page)) !== undefined;
  const read = (): Promise<Pages> => readPages(session, `GET ${collection}`, { key, until });
  const found = await resultOrNull(readUntil(session, read, (pages) => pages.some(until)));
  const pages = (found ?? []).map(rowsOn);
  const row = pages.map(ownIn).find((one) => one !== undefined);
  return row && { row, rows: pages.flat() };
}

/** The id that a row and the answer to the create show, and no other row. */
async function idByRow(session: Session, claim: Claim, { row, rows }: OwnRow): Promise<string | undefined> {
  const { answer, entry } = claim;
  const noun = nounOf(entry.collection);
  const answered = candidatesOf(session, claim);
  const inRow = shownIds(row, noun, entry.tag).filter(mayBeOwn(session, claim));
  if (canRead(entry.collection)) {
    // Those in the answer to a create have been read just now.
    const read = answer === undefined ? [] : answered.map(({ id }) => id);
    const others = inRow.filter(({ id }) => !read.includes(id));
    return idByRead(session, claim, others);
  }
  const isAnswered = answered.length > 0 || (answer !== undefined && isSuccess(answer));
  // What was refused should not exist: without an answer that names it, a row may be that of whoever keeps the refusal.
  if (!isAnswered && entry.refused === true) {
    return undefined;
  }
  // Any field may have the number of something else.
  const named = idsOf(row, noun);
  const isInRow = ({ id, isInPart }: ShownId): boolean =>
    !isInPart && (isUnguessable(id) || named.length === 0) ? showsId(row, id) : named.includes(id);
  const common = isAnswered ? answered.filter(isInRow) : inRow;
  const others = rows.filter((one) => one !== row);
  const free = common.filter(({ id }) => !others.some((other) => isElsewhere(id, other, row, noun)));
  // Of several it is the one in a field with the ids that reads take, of its kind or any. Where reads take those of
  // several fields, it is one that nobody can guess.
  const names = free.length > 1 ? await idNamesRead(session, entry.collection) : [];
  const sure = free.length > 1 ? free.filter(({ place }) => names.includes(nameOf(place))) : free;
  const random = sure.filter(({ id }) => isUnguessable(id));
  return [sure, random].find(({ length }) => length === 1)?.[0]?.id;
}

/** The names of the fields with the ids under which the first records of lists can be read. */
const idNamesRead = step(async (session, collection: string): Promise<readonly string[]> => {
  const names: string[] = [];
  const all = session.api.endpoints.filter(({ id }) => /^GET .*:id/.test(id));
  const own = all.filter(({ path }) => path.startsWith(`${collection}/`));
  for (const { id: reading, path } of own.length > 0 ? own : all) {
    const list = path.replace(/\/:id.*$/, '');
    const listed = await resultOrNull(send(session, `GET ${list}`));
    const [row] = listed === null ? [] : rawRows(listed, nounOf(list));
    const statusOf = async (id: string): Promise<number> =>
      (await resultOrNull(send(session, reading, { id })))?.status ?? 0;
    for (const { id, place } of shownIds(row, nounOf(list), '').slice(0, mostRead)) {
      // PHP and MySQL take `019ab…` for 19: a uuid beside a counted id leads to whatever record has that number, and
      // one that no record has does so, too.
      const isFound = isSuccess({ status: await statusOf(id) });
      const ofMadeUp = isFound ? await statusOf(madeUpId(id)) : 0;
      names.push(...(ofMadeUp !== 0 && !isSuccess({ status: ofMadeUp }) ? [nameOf(place)] : []));
    }
  }
  return names;
});

/** Whether another row has an id for its own, or wherever the record's row has it. */
function isElsewhere(id: string, other: JsonObject, row: JsonObject, noun: string): boolean {
  const places = walk(row).flatMap(({ pointer, value }) => (isScalar(value) && holdsId(value, id) ? [pointer] : []));
  return (
    idsOf(other, noun).includes(id) || (places.length > 0 && places.every((place) => holdsId(at(other, place), id)))
  );
}
