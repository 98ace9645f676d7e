import type { JsonObject } from '../../common/json.ts';
import { resultOrNull } from '../engine/check.ts';
import { isRecognised, mentions, showsOthers, showsTimeOf } from '../reading/own-words.ts';
import { idIn, idsOf, isUnguessable, recordIn, type ShownId, shownIds, showsId } from '../reading/record.ts';
import { rawRows } from '../reading/rows.ts';
import { type Answer, isSuccess } from '../session/call.ts';
import { type Session, send, step } from '../session/session.ts';
import { type Claim, candidatesOf, isIdTold, mayBeOwn, nameOf } from './candidates.ts';
import { noteOthers, ownRows } from './own-rows.ts';
import type { Page } from './pages.ts';
import { canRead, firstView, nounOf, type Pages, readPages, readUntil } from './reads.ts';
import { madeUpId } from './unknown-ids.ts';

// Whose a record is. Nothing is changed or deleted that is not proven here to be the run's: a read by its id shows the
// run's words; or, where no read shows the record, the id is what the answer to the create and the only row with the
// run's words show in common, and no other row has. What is not proven is left, and named. Each function gives the id
// under which the record may be changed and deleted from now on; undefined: nothing proves one.

/** Proves the id of a new record: by a read, or by the list. */
export async function prove(session: Session, claim: Claim): Promise<string | undefined> {
  if (canRead(claim.entry.collection)) {
    return (await proveByRead(session, claim)) ?? proveByList(session, claim);
  }
  // What the first record of a kind has taught spares the list. A counted id may be the newest of all.
  const place = await placeOfId(session, claim);
  const taught = candidatesOf(session, claim).find((one) => one.place === place);
  return taught !== undefined && isUnguessable(taught.id)
    ? allowed(session, claim, taught.id)
    : proveByList(session, claim);
}

/** Where the answers to creates of a kind that no read shows have the id. */
const placeOfId = step(
  async (session, claim: Claim): Promise<string | undefined> => {
    const id = await proveByList(session, claim);
    return candidatesOf(session, claim).find((one) => one.id === id)?.place;
  },
  ({ entry }) => entry.collection,
);

/** What is proven may be changed, unless it was there before the run created anything. */
const allowed = ({ writeGuard }: Session, { entry, maker }: Claim, id: string | undefined): string | undefined =>
  id !== undefined && writeGuard.allow(entry.collection, id, maker) ? id : undefined;

// --- By a read

/** Most ids that are read of one record. */
const mostRead = 5;

/** The first of some ids under which a read shows the run's words. A new record may take KEY_SETTLE_MS to be found. */
export async function proveByRead(
  session: Session,
  claim: Claim,
  candidates = candidatesOf(session, claim),
): Promise<string | undefined> {
  const { maker: key, answer: created, entry } = claim;
  const view = `GET ${entry.collection}/:id`;
  const ids = canRead(entry.collection) ? [...new Set(candidates.map(({ id }) => id))].slice(0, mostRead) : [];
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
  const isOld = created === undefined || ids.length === 0;
  const id = await (isOld ? readAll(0) : readUntil(session, readAll, (found) => found !== undefined));
  return allowed(session, claim, id);
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

// --- By the list

/** The row in which a list shows a record, and the rows of the list, as far as they were read. */
interface OwnRow {
  readonly row: JsonObject;
  readonly rows: readonly JsonObject[];
}

/** Proves the id of a new record by its row. Where no list shows it, the user's word says which id it is. */
async function proveByList(session: Session, claim: Claim): Promise<string | undefined> {
  const { collection } = claim.entry;
  const found = await rowOfNew(session, claim);
  if (found !== undefined) {
    return proveByRow(session, claim, found);
  }
  const isTold = isIdTold(session, collection) && !canRead(collection);
  return isTold ? allowed(session, claim, candidatesOf(session, claim)[0]?.id) : undefined;
}

/**
 * Looks for the row of a new record in its list, and again within KEY_SETTLE_MS: the only one with its words. A list
 * that shows them in several rows may join them to records of others. A record that shows no words has the row with the
 * id in the answer to its create and a time that was sent, if no list had that id before, all of which was read.
 */
async function rowOfNew(session: Session, claim: Claim): Promise<OwnRow | undefined> {
  const { entry, maker: key, answer, body } = claim;
  const { collection, tag } = entry;
  const isWordless =
    answer !== undefined && !mentions(answer.payload, tag) && (await noteOthers(session, collection, key));
  const mayShow = ({ id }: ShownId): boolean => isUnguessable(id) || showsTimeOf(answer?.payload, body);
  const ids = isWordless
    ? candidatesOf(session, claim)
        .filter(mayShow)
        .map(({ id }) => id)
    : [];
  const shownOn = (pages: readonly Page[]) => ownRows(session, claim, pages, ids);
  const until = (page: Page): boolean => shownOn([page]).own.length > 0;
  const read = (): Promise<Pages> => readPages(session, `GET ${collection}`, { key, until });
  const pages = await resultOrNull(readUntil(session, read, (some) => some.some(until)));
  const { rows, own } = shownOn(pages ?? []);
  const [row, ...more] = own;
  return row === undefined || more.length > 0 ? undefined : { row, rows };
}

/** Proves the id that a row and the answer to the create show, and no other row; or one of the row by a read. */
export async function proveByRow(session: Session, claim: Claim, { row, rows }: OwnRow): Promise<string | undefined> {
  const { answer, entry } = claim;
  const { collection, tag, refused } = entry;
  const noun = nounOf(collection);
  const inRow = shownIds(row, noun, tag).filter(mayBeOwn(session, claim));
  if (canRead(collection)) {
    return proveByRead(session, claim, inRow);
  }
  const answered = candidatesOf(session, claim);
  const isAnswered = answered.length > 0 || (answer !== undefined && isSuccess(answer));
  // What was refused should not exist: without an answer that names it, a row may be that of whoever keeps the refusal.
  if (!isAnswered && refused === true) {
    return undefined;
  }
  // Any field may have the number of something else.
  const isIdOf = (one: JsonObject, id: string): boolean => idsOf(one, noun).includes(id);
  const isIn = (one: JsonObject, id: string): boolean => (isUnguessable(id) ? showsId(one, id) : isIdOf(one, id));
  const common = isAnswered ? answered.filter(({ id, isInPart }) => (isInPart ? isIdOf : isIn)(row, id)) : inRow;
  const free = common.filter(({ id }) => rows.every((other) => other === row || !isIn(other, id)));
  // Of several it is the one in a field with the ids that reads take.
  const names = free.length > 1 ? await idNamesRead(session, collection) : [];
  const sure = free.length > 1 ? free.find(({ place }) => names.includes(nameOf(place))) : free[0];
  return allowed(session, claim, sure?.id);
}

/** The names of the fields with the ids under which the first records of lists can be read: of its kind, or any. */
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
