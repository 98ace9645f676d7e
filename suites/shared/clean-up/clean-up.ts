import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer } from '../../engine/expect.ts';
import { isUndecided, resultOrNull } from '../../engine/parts.ts';
import { isServerFailure, isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { givenKey, mainKeys } from '../../session/keys.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { isUnguessable } from '../../session/reading/unguessable.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { canDelete, readingOf } from '../collections.ts';
import { findByWords } from '../ids/found-by-words.ts';
import { deletePatiently } from './patient-deletion.ts';
import { isStillThere, wasDeleted } from './still-there.ts';

/** What became of a thing that a run created. */
export interface Cleaned {
  readonly entry: Entry;
  /** `gone`: not there, or not any more; `left`: still there, or nobody knows. */
  readonly end: 'deleted' | 'gone' | 'left';
  /** Of what was left: why, and what to do. */
  readonly why: string;
}

/**
 * Deletes what a ledger holds of the session's deployment, latest first: those things first that act by themselves, then
 * those whose id is known, then those that have to be looked for by the run's words. What is deleted, or gone already, is
 * taken off the ledger. Never throws where a thing cannot be deleted. What an earlier run made is read before.
 */
export async function cleanUp(session: Session, entries = session.ledger.toDelete()): Promise<Cleaned[]> {
  const own = entries.filter((entry) => isOfSession(session, entry));
  const isFirst = ({ collection }: Entry): boolean => collection === session.api.deletedFirst;
  const cleaned: Cleaned[] = [];
  for (const group of [own.filter(isFirst), own.filter((entry) => !isFirst(entry))]) {
    cleaned.push(...(await Promise.all(group.filter(({ id }) => id !== undefined).map((one) => clean(session, one)))));
    // One after the other: a deletion moves the rows on the pages in which another thing may just be looked for.
    for (const entry of group.filter(({ id }) => id === undefined)) {
      cleaned.push(await clean(session, entry));
    }
  }
  return cleaned;
}

/** Whether a thing was made on the session's deployment. */
export const isOfSession = ({ api, origin }: Session, entry: Entry): boolean =>
  entry.api === api.name && entry.origin === origin;

async function clean(session: Session, entry: Entry): Promise<Cleaned> {
  const cleaned = await removeEntry(session, entry);
  if (cleaned.end !== 'left') {
    session.ledger.remove(entry);
  }
  return cleaned;
}

async function removeEntry(session: Session, entry: Entry): Promise<Cleaned> {
  const left = (why: string): Cleaned => ({ entry, end: 'left', why });
  const key = makerOf(session, entry);
  if (!canDelete(entry.collection)) {
    return left('the API cannot delete it');
  }
  if (key === undefined) {
    return left(`set ${entry.keySetting} to the key with which it was made`);
  }
  try {
    const [first, ...others] = await provenIdsOf(session, entry, key);
    if (first === undefined) {
      return { entry, end: 'gone', why: 'no record with its words exists' };
    }
    let cleaned = await removeById(session, entry, first, key);
    for (const id of others) {
      cleaned = cleaned.end === 'deleted' ? cleaned : await removeById(session, entry, id, key);
    }
    const other =
      cleaned.end === 'gone' && !wasDeleted(session, first) ? await otherId(session, entry, key) : undefined;
    return other === undefined ? cleaned : await removeById(session, entry, other, key);
  } catch (error) {
    if (isUndecided(error)) {
      return left(error.message);
    }
    throw error;
  }
}

/** Under which other id the list shows the run's words: the answer to the create may have named a wrong one. */
async function otherId(session: Session, entry: Entry, key: ApiKey): Promise<string | undefined> {
  const ids = (await resultOrNull(findByWords(session, entry, key))) ?? [];
  const id = ids.find((one) => one !== entry.id);
  if (id !== undefined) {
    session.writeGuard.allow(entry.collection, id);
  }
  return id;
}

/** The ids of a thing that was proven to be the run's; none: it is gone. Throws Inconclusive where that cannot be decided. */
async function provenIdsOf(session: Session, entry: Entry, key: ApiKey): Promise<readonly string[]> {
  const { collection, id } = entry;
  if (id !== undefined && session.writeGuard.allows(collection, id)) {
    return [id, ...(entry.otherIds ?? [])];
  }
  const found = id === undefined ? null : await readById(session, entry, id, key);
  const ids = found === null ? await findByWords(session, entry, key) : found;
  for (const one of ids) {
    session.writeGuard.allow(collection, one);
  }
  return ids;
}

/**
 * Reads a thing of an earlier run by its id: ids that are counted may have been given out anew since; of things that cannot be
 * read, long random ones are the run's for ever. null: no read shows the record itself. Throws Inconclusive where it is there, and not known to be the run's.
 */
async function readById(
  session: Session,
  { collection, tag }: Entry,
  id: string,
  key: ApiKey,
): Promise<string[] | null> {
  const reading = readingOf(session.api.endpoints, collection);
  if (reading?.isView !== true && isUnguessable(id)) {
    return [id];
  }
  if (reading === undefined) {
    return null;
  }
  const view = await send(session, reading.id, { id, key });
  if (view.status === 404 || view.status === 410) {
    return [];
  }
  if (!isSuccess(view)) {
    throw unknown(`whether ${id} is the run's own is not known: ${reading.id} gets ${describeAnswer(view)}`);
  }
  if (reading.isView && !mentions(view.payload, tag)) {
    throw unknown(`${id} is not deleted: ${reading.id} does not show the words of the run in it`);
  }
  return reading.isView ? [id] : null;
}

/** The key of the setting that the ledger names; a thing that a key of the run made belongs to the account of the main key. */
export function makerOf(session: Session, { keySetting }: Entry): ApiKey | undefined {
  const isSetting = session.api.keys.some(({ setting }) => setting === keySetting);
  return isSetting ? givenKey(session, keySetting) : mainKeys(session)[0];
}

export async function removeById(session: Session, entry: Entry, id: string, key: ApiKey): Promise<Cleaned> {
  const answer = await deletePatiently(session, entry, id, key);
  if (isSuccess(answer)) {
    return { entry, end: 'deleted', why: '' };
  }
  // The answer to an earlier attempt may have been lost; or a call that was to be refused deleted it, and a second one breaks.
  const isUnknown = [404, 410].includes(answer.status) || (isServerFailure(answer) && wasDeleted(session, id));
  const isGone = isUnknown && !(await isStillThere(session, entry, id, key));
  return isGone
    ? { entry, end: 'gone', why: `DELETE gets ${answer.status}` }
    : { entry, end: 'left', why: `DELETE gets ${describeAnswer(answer)}` };
}

const unknown = (message: string): Inconclusive => new Inconclusive({ message });
