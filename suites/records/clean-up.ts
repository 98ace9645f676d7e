import type { JsonObject } from '../../common/json.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { Inconclusive } from '../../results/outcome.ts';
import { isUndecided, resultOrNull } from '../engine/check.ts';
import { describeAnswer, whyNoAnswer } from '../engine/expect.ts';
import { isRecognised, mentions } from '../reading/own-words.ts';
import { idsOf, isUnguessable } from '../reading/record.ts';
import { type Answer, type ApiKey, callOf, isOfOtherWorkspace, isServerFailure, isSuccess } from '../session/call.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { givenKey, mainKey, mainKeys, type Session, send } from '../session/session.ts';
import { isShownGone } from './listed-records.ts';
import { ownRows } from './own-rows.ts';
import { proveByRead, proveByRow } from './prove.ts';
import { canDelete, canRead, findInList, noteIfUnlisted, nounOf, type pagesSinceWrite, readPages } from './reads.ts';

// Clean-up: the ledger backwards, each record under an id that is proven to be the run's. What lists show besides is
// for sweep.ts.

/** What became of a record that a run created. */
export interface Cleaned {
  readonly entry: Entry;
  /** `gone`: it does not exist, or no longer; `left`: it exists, or that is unknown; `lasting`: no call deletes it. */
  readonly end: 'deleted' | 'gone' | 'left' | 'lasting';
  /** Why it is left, and what to do; or why it counts as gone. */
  readonly why: string;
}

/**
 * Deletes the records of entries that were made on the session's deployment, and takes those off the ledger that are
 * deleted or gone: records that go on acting first, then those whose id is known. Never throws because a record cannot
 * be deleted.
 */
export async function cleanUp(session: Session, entries = session.ledger.toDelete()): Promise<Cleaned[]> {
  const rankOf = ({ collection, id }: Entry): number =>
    (collection === session.api.webhooks ? 0 : 2) + (id === undefined ? 1 : 0);
  const cleaned: Cleaned[] = [];
  // One after the other: a deletion moves rows to other pages, where the search for another record might miss them.
  for (const entry of entries.filter((one) => isOfSession(session, one)).sort((a, b) => rankOf(a) - rankOf(b))) {
    try {
      const deleted = await deleteOne(session, entry);
      session.ledger.note(entry, { gone: true });
      cleaned.push({ entry, ...deleted });
    } catch (error) {
      if (!isUndecided(error)) {
        throw error;
      }
      cleaned.push({ entry, end: 'left', why: error.message });
    }
  }
  return cleaned;
}

/** Deletes the record of an entry, if it exists. Throws Inconclusive where it stays. */
async function deleteOne(session: Session, entry: Entry): Promise<Deleted> {
  const key = makerOf(session, entry);
  if (!canDelete(entry.collection)) {
    throw open('the API cannot delete it');
  }
  if (key === undefined) {
    throw open(`set ${entry.keySetting} to the key that created it`);
  }
  const id = await idOf(session, entry, key);
  return id === null ? { end: 'gone', why: 'no record contains its tag' } : deleteById(session, entry, id, key);
}

/** Whether a record was made on the session's deployment. */
export const isOfSession = ({ api, origin }: Session, entry: Entry): boolean =>
  entry.api === api.name && entry.origin === origin;

type Deleted = Omit<Cleaned, 'entry'>;

/**
 * The key to delete a record with: the one that made it, where that was given by a setting. What a key of the run made
 * belongs to the account of the main key. undefined: the setting is not set.
 */
export function makerOf(session: Session, { keySetting }: Entry): ApiKey | undefined {
  const isSetting = session.api.keys.some(({ setting }) => setting === keySetting);
  return isSetting ? givenKey(session, keySetting) : mainKeys(session)[0];
}

/** Deletes a record under an id that is proven. Throws Inconclusive where it stays, and as `Client.send` does. */
async function deleteById(session: Session, entry: Entry, id: string, key: ApiKey): Promise<Deleted> {
  const { collection, tag } = entry;
  if (isOfOtherWorkspace(key)) {
    await noteIfUnlisted(session, { collection, id, tag }, mainKey(session));
  }
  const answer = await sendDeletion(session, collection, id, key);
  // What shows late that it is gone is left for now: all that is left is tried once more after a wait.
  const isStillThere = async (): Promise<boolean> => {
    if (!canRead(collection)) {
      const found = await resultOrNull(findInList(session, { collection, id, tag }, { key }));
      return found?.row !== undefined && !isShownGone(found.row);
    }
    const view = await resultOrNull(send(session, `GET ${collection}/:id`, { id, key }));
    return view !== null && isSuccess(view) && mentions(view.payload, tag);
  };
  if (isSuccess(answer)) {
    if (isIneffective(session, collection) && (await isStillThere())) {
      throw open('DELETE succeeds, but it is still listed');
    }
    return { end: 'deleted', why: '' };
  }
  // An earlier call may have deleted it: its answer was lost, or it should have been refused. A second deletion may
  // break.
  const isDeleted = session.records.deletedIn(collection)(id);
  const mayBeGone = [404, 410].includes(answer.status) || (isServerFailure(answer) && isDeleted);
  if (!mayBeGone || (!isDeleted && (await isStillThere()))) {
    throw open(whyNoAnswer(answer) ?? `DELETE got ${describeAnswer(answer)}`);
  }
  return { end: 'gone', why: `DELETE got ${answer.status}` };
}

async function sendDeletion({ client }: Session, collection: string, id: string, key: ApiKey): Promise<Answer> {
  const call = callOf(endpointOf(`DELETE ${collection}/:id`), key, { id, deletes: true });
  const answer = await client.send(call);
  if (answer.status === 400) {
    // Fastify may refuse an empty body that is labelled as JSON.
    return client.send({ ...call, headers: { 'Content-Type': '' }, purpose: 'off-document' });
  }
  // A key of another environment, which its maker does not find, may delete itself.
  const self = [...client.keys.values()].findLast((one) => one.id === id);
  const bySelf = answer.status === 404 && self ? await client.send({ ...call, key: self, purpose: 'refusal' }) : answer;
  return isSuccess(bySelf) ? bySelf : answer;
}

/** Whether a deletion in a collection was accepted and seen to have no effect: its record is on the ledger again. */
export const isIneffective = ({ ledger }: Session, collection: string): boolean =>
  ledger.all().some((one) => one.collection === collection && one.gone === false);

// --- Which id an entry of the ledger has

/**
 * The proven id of an entry; null: there is no such record. A counted id of an earlier run may have been given to
 * another record since: then a read has to show the record. A long random one stays the run's, unless a read can show
 * whose it is. Throws Inconclusive where it is open.
 */
async function idOf(session: Session, entry: Entry, key: ApiKey): Promise<string | null> {
  const { collection, id } = entry;
  const { writeGuard } = session;
  if (id !== undefined && writeGuard.allows(collection, id)) {
    return id;
  }
  const isKept = id !== undefined && isUnguessable(id) && !canRead(collection) && writeGuard.allow(collection, id);
  return isKept ? id : ((await proveByRead(session, { entry, maker: key })) ?? idByWords(session, entry, key));
}

/**
 * The proven id of the record with the words of an entry; null: there is none. Of a create that was refused only a row
 * counts that shows its words as they were sent. Throws Inconclusive where it is open.
 */
async function idByWords(session: Session, entry: Entry, key: ApiKey): Promise<string | null> {
  const { rows, own, exact, isWhole } = await rowsOf(session, entry, key);
  const isRefused = entry.refused === true && entry.accepted !== true;
  const found = exact.length > 0 || isRefused ? exact : own;
  const [row, ...more] = found.length > 1 ? found.filter((one) => !isShownGone(one)) : found;
  if (row !== undefined && more.length === 0) {
    const id = await proveByRow(session, { entry, maker: key }, { row, rows });
    if (id === undefined) {
      throw open('its id is unknown, and no value in its list row is certain to be it');
    }
    return id;
  }
  if (found.length > 0) {
    throw open(`its id is unknown, and ${found.length} listed records contain "${entry.tag}"`);
  }
  const isGone = isWhole && !entry.accepted && !entry.untraceable && !hidesWords(session, entry.collection, rows);
  if (!isGone && !isRefused) {
    throw open('its id is not certain, and the pages of the list that were read do not show it');
  }
  return null;
}

const open = (message: string): Inconclusive => new Inconclusive({ message });

/** Whether a list shows a record of the run by its id alone: then it cannot prove that a record does not exist. */
function hidesWords({ ledger }: Session, collection: string, rows: readonly JsonObject[]): boolean {
  const entries = ledger.all().filter((entry) => entry.collection === collection && entry.id !== undefined);
  return entries.some((entry) =>
    rows.some((row) => idsOf(row, nounOf(collection)).includes(entry.id ?? '') && !isRecognised(row, entry)),
  );
}

/** What the list shows of an entry's record, and whether all of it was read. Throws Inconclusive where none was. */
export async function rowsOf(
  session: Session,
  entry: Entry,
  key: ApiKey,
  pagesOf: typeof pagesSinceWrite = (one, path) => readPages(one, `GET ${path}`, { key }),
) {
  const pages = await pagesOf(session, entry.collection, key);
  const [{ answer: first }] = pages;
  if (!first.accepted) {
    throw open(
      whyNoAnswer(first) ?? `its id is not certain, and GET ${entry.collection} gets ${describeAnswer(first)}`,
    );
  }
  const last = pages.at(-1);
  const isWhole = last !== undefined && isSuccess(last.answer) && !last.goesOn;
  return { ...ownRows(session, { entry, maker: key }, pages), isWhole };
}
