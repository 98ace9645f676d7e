import { Inconclusive } from '../../results/stop.ts';
import { describeAnswer, whyNoAnswer } from '../engine/describe-answer.ts';
import { isUndecided, resultOrNull } from '../engine/parts.ts';
import { mentions } from '../reading/own-words.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { isServerFailure, isSuccess } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { givenKey, mainKeys } from '../session/keys.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { canDelete, readingOf } from './collections.ts';
import { hidesWords } from './hidden-words.ts';
import { findByWords } from './ids/found-by-words.ts';
import { deletePatiently } from './patient-deletion.ts';
import { isStillThere, wasDeleted } from './still-there.ts';

/** What became of a record that a run created. */
export interface Cleaned {
  readonly entry: Entry;
  /** `gone`: it does not exist, or no longer; `left`: it exists, or that is unknown. */
  readonly end: 'deleted' | 'gone' | 'left';
  /** Why it is left, and what to do; or why it counts as gone. */
  readonly why: string;
  /** The deletion gets 404, and nothing shows that the id is that of the record. */
  readonly isUnknownId?: true;
}

/**
 * Deletes the entries that were made on the session's deployment, and takes those off the ledger that are deleted or
 * gone. Records that go on acting come first; then those whose id is known, then those that have to be found by the
 * run's words. A record that an earlier run made is read before. Never throws because a record cannot be deleted. Gives
 * what became of each.
 */
export async function cleanUp(session: Session, entries = session.ledger.toDelete()): Promise<Cleaned[]> {
  const ofSession = entries.filter((entry) => isOfSession(session, entry));
  const isFirst = ({ collection }: Entry): boolean => collection === session.api.deletedFirst;
  const cleaned: Cleaned[] = [];
  for (const group of [ofSession.filter(isFirst), ofSession.filter((entry) => !isFirst(entry))]) {
    const known = group.filter(({ id }) => id !== undefined);
    cleaned.push(...(await Promise.all(known.map((entry) => cleanEntry(session, entry)))));
    // One after the other: a deletion moves rows to other pages, where the search for another record might miss them.
    for (const entry of group.filter(({ id }) => id === undefined)) {
      cleaned.push(await cleanEntry(session, entry));
    }
  }
  return cleaned;
}

/** Whether a record was made on the session's deployment. */
export const isOfSession = ({ api, origin }: Session, entry: Entry): boolean =>
  entry.api === api.name && entry.origin === origin;

async function cleanEntry(session: Session, entry: Entry): Promise<Cleaned> {
  const cleaned = await deleteEntry(session, entry);
  if (cleaned.end !== 'left') {
    session.ledger.remove(entry);
  }
  return cleaned;
}

async function deleteEntry(session: Session, entry: Entry): Promise<Cleaned> {
  const left = (why: string): Cleaned => ({ entry, end: 'left', why });
  const key = makerOf(session, entry);
  if (!canDelete(entry.collection)) {
    return left('the API cannot delete it');
  }
  if (key === undefined) {
    return left(`set ${entry.keySetting} to the key that created it`);
  }
  return orLeft(entry, deleteWith(session, entry, key));
}

/** What came of a deletion. Where it could not be made, the record is left. */
export async function orLeft(entry: Entry, deletion: Promise<Cleaned>): Promise<Cleaned> {
  try {
    return await deletion;
  } catch (error) {
    if (isUndecided(error)) {
      return { entry, end: 'left', why: error.message };
    }
    throw error;
  }
}

/** Deletes a record under the ids that are proven to be its own, until one deletion succeeds. Throws Inconclusive. */
async function deleteWith(session: Session, entry: Entry, key: ApiKey): Promise<Cleaned> {
  const [first, ...others] = await provenIdsOf(session, entry, key);
  if (first === undefined) {
    return { entry, end: 'gone', why: 'no record contains its tag' };
  }
  let cleaned = await deleteById(session, entry, first, key);
  for (const id of others) {
    const another = cleaned.end === 'deleted' ? cleaned : await deleteById(session, entry, id, key);
    cleaned = another.end === 'left' ? cleaned : another;
  }
  const isIdSure = [first, ...others].some((id) => isKnownId(session, entry, id, key));
  const mayHaveOther = !isIdSure && (cleaned.end === 'gone' || cleaned.isUnknownId === true);
  return mayHaveOther ? deleteByWords(session, entry, key, cleaned) : cleaned;
}

/**
 * Deletes a record under the id that its words in the list show: the answer to the create may have shown a wrong one.
 * Where no row has them, the record is gone. But a key may not see those of the other environment. `before`: what came
 * of the deletion under the other id.
 */
async function deleteByWords(session: Session, entry: Entry, key: ApiKey, before: Cleaned): Promise<Cleaned> {
  const ids = await resultOrNull(findByWords(session, entry, key));
  const id = ids?.find((one) => one !== entry.id);
  if (id !== undefined && session.writeGuard.allow(entry.collection, id)) {
    return deleteById(session, entry, id, key);
  }
  const showsAll = readingOf(session.api.endpoints, entry.collection)?.isView !== false;
  return ids?.length === 0 && showsAll ? { entry, end: 'gone', why: 'no record contains its tag' } : before;
}

/** Whether a call has shown that an id is that of a record: it was accepted. */
const isKnownId = (session: Session, { collection }: Entry, id: string, key: ApiKey): boolean =>
  wasDeleted(session, { collection, id }) || session.writeGuard.wasFound(collection, id, key);

/** The ids of a record that are proven to be the run's; none: it is gone. Throws Inconclusive where that is open. */
async function provenIdsOf(session: Session, entry: Entry, key: ApiKey): Promise<readonly string[]> {
  const { collection, id } = entry;
  if (id !== undefined && session.writeGuard.allows(collection, id)) {
    return [id, ...(entry.otherIds ?? [])];
  }
  const read = id === undefined ? null : await readById(session, entry, id, key);
  const ids = read ?? (await findByWords(session, entry, key));
  const allowed = ids.filter((one) => session.writeGuard.allow(collection, one));
  if (allowed.length < ids.length) {
    throw new Inconclusive({ message: 'its tag is in a record that existed before this run created any' });
  }
  return allowed;
}

/**
 * Reads a record of an earlier run by its id, and gives the id where it is still that record's; where nothing is there,
 * the other id under which the list shows its words, or none. A counted id may have been given to another record since.
 * A long random one stays the run's, and needs no read where none shows the record itself. null: only the list can
 * tell. Throws Inconclusive where a record is there that is not known to be the run's.
 */
async function readById(session: Session, entry: Entry, id: string, key: ApiKey): Promise<string[] | null> {
  const { collection, tag } = entry;
  const reading = readingOf(session.api.endpoints, collection);
  if (reading?.isView !== true && isUnguessable(id)) {
    return [id];
  }
  if (reading === undefined) {
    return null;
  }
  const view = await send(session, reading.id, { id, key });
  if (view.status === 404 || view.status === 410) {
    // It is gone, or the answer to the create showed a wrong id.
    const ids = await resultOrNull(findByWords(session, entry, key));
    return ids?.filter((one) => one !== id) ?? [];
  }
  if (!isSuccess(view)) {
    throw unknown(
      whyNoAnswer(view) ??
        `${id} was not deleted, because it may belong to someone else: ${reading.id} got ${describeAnswer(view)}`,
    );
  }
  if (reading.isView && !mentions(view.payload, tag)) {
    throw unknown(`${id} was not deleted: ${reading.id} does not contain the run's tag`);
  }
  return reading.isView ? [id] : null;
}

const unknown = (message: string): Inconclusive => new Inconclusive({ message });

/**
 * The key to delete a record with: the one that made it, where that was given by a setting. What a key of the run made
 * belongs to the account of the main key. undefined: the setting is not set.
 */
export function makerOf(session: Session, { keySetting }: Entry): ApiKey | undefined {
  const isSetting = session.api.keys.some(({ setting }) => setting === keySetting);
  return isSetting ? givenKey(session, keySetting) : mainKeys(session)[0];
}

/** Deletes a record under an id that the write guard allows. Gives what became of it. Throws as `Client.send` does. */
export async function deleteById(session: Session, entry: Entry, id: string, key: ApiKey): Promise<Cleaned> {
  const { answer, isKeyRefused } = await deletePatiently(session, entry, id, key);
  if (isSuccess(answer)) {
    return { entry, end: 'deleted', why: '' };
  }
  // An earlier call may have deleted it: its answer was lost, or it should have been refused. A second deletion may
  // break.
  const mayBeGone =
    [404, 410].includes(answer.status) || (isServerFailure(answer) && wasDeleted(session, { ...entry, id }));
  if (!mayBeGone || (await isStillThere(session, entry, id, key))) {
    return { entry, end: 'left', why: whyNoAnswer(answer) ?? `DELETE got ${describeAnswer(answer)}` };
  }
  return isKeyRefused || isGone(session, entry, id, key)
    ? { entry, end: 'gone', why: `DELETE got ${answer.status}` }
    : {
        entry,
        end: 'left',
        why: `DELETE got ${answer.status}, and this id never worked in any call`,
        isUnknownId: true,
      };
}

/**
 * Whether a 404 on the deletion of a record that its list does not show means that it is gone. It does if a call with
 * the id was accepted before. What no call takes by its id, and what an earlier run made, counts as gone unless the
 * list hides the records of the run.
 */
function isGone(session: Session, entry: Entry, id: string, key: ApiKey): boolean {
  const isReadById = readingOf(session.api.endpoints, entry.collection) !== undefined;
  const isOfEarlierRun = session.tag === '';
  return (
    isKnownId(session, entry, id, key) || ((isOfEarlierRun || !isReadById) && !hidesWords(session, entry.collection))
  );
}
