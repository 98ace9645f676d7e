import { describeAnswer } from '../../../engine/describe-answer.ts';
import { undecided } from '../../../engine/expect.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { givenKey } from '../../../session/keys.ts';
import { isUnguessable } from '../../../session/reading/unguessable.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { noteIneffective } from '../../../shared/clean-up/ineffective.ts';
import { findInListUntil, type ListSearch } from '../../../shared/lists/list-search.ts';
import { isStillListed } from '../../../shared/lists/listed-records.ts';
import { deleteRecord } from '../../../shared/records.ts';
import { sendWithUnknownId } from '../../../shared/unknown-ids/made-by-mistake.ts';
import { madeUpId } from '../../../shared/unknown-ids/made-up-ids.ts';
import { callsWhileAlive, onKeyList, worksEachTime } from '../keys/calls-while-alive.ts';
import { dropKey } from '../keys/drop-key.ts';
import { makerFor } from '../keys/key-makers.ts';
import { lastListing } from '../keys/last-listing.ts';
import { liveKey, liveKeyRead } from '../keys/lasting-keys.ts';
import { liveManager } from '../keys/live-manager.ts';
import { keysPath, type RunKey } from '../keys/run-key.ts';
import { keptByRotation } from '../rotation/kept-by-rotation.ts';
import { usageAfterRotation } from '../rotation/rotated-id.ts';
import { rotatedKeyRead, rotationIn } from '../rotation/rotation.ts';

// The life of a live key: the one that is rotated, so that the account needs room for no other.
// Each step throws Skipped where no live key may be made.

/** A live key that the run made; where the account has no room for one, the key that is rotated, as it was before. */
export const newLiveKey = async (session: Session): Promise<RunKey> =>
  (await resultOrNull(liveKey(session))) ?? (await rotationIn(session, 'live')).before;

/** A call with the new live key, sent when it was made; undefined: none could be made. */
export async function newLiveKeyRead(session: Session): Promise<Answer | undefined> {
  const answer = await resultOrNull(liveKeyRead(session));
  return answer ?? (await rotationIn(session, 'live')).opened.find((opened) => opened !== null);
}

/** The live key with its new secret. Throws Inconclusive where its id is not known, or its rotation shows no secret. */
async function rotatedLiveKey(session: Session): Promise<RunKey> {
  const { answer, isIdKnown, after } = await rotationIn(session, 'live');
  if (!isIdKnown) {
    const message = 'Rotation gave the live key an id that neither its answer nor the key list shows';
    throw undecided(answer, message, 'developer.keys.list');
  }
  return after();
}

/** Throws Inconclusive on a 404 where rotation made the key invalid, or one of the other environment. */
async function assertNotDueToRotation(session: Session, answer: Answer): Promise<void> {
  const use = answer.status === 404 ? await resultOrNull(rotatedKeyRead(session, 'live')) : null;
  if (use?.status === 401) {
    throw undecided(use, `Live key is refused since its rotation: ${describeAnswer(use)}`, 'developer.keys.rotate');
  }
  if (use !== null) {
    await assertSameKeyAfterRotation(session, answer);
  }
}

/** Throws Inconclusive where rotation changed the key's environment or scopes: other live keys may no longer see it. */
async function assertSameKeyAfterRotation(session: Session, answer: Answer): Promise<void> {
  if ((await resultOrNull(keptByRotation(session, 'live')))?.failures.length) {
    throw undecided(answer, 'Rotation replaced the live key', 'developer.keys.rotate-keeps');
  }
}

/** The usage of the live key, without days. */
export const liveKeyUsage = step(async (session): Promise<Answer> => {
  const { id } = await rotatedLiveKey(session);
  const key = await liveManager(session);
  const first = await usageAfterRotation(session, id, key);
  const answer = first.accepted ? first : await send(session, `GET ${keysPath}/:id/usage`, { id, key });
  await assertNotDueToRotation(session, answer);
  return answer;
});

/** Whether the key list accepts the live key each time: others may know nothing of other keys. */
const managesKeys = async (session: Session, { key }: RunKey): Promise<boolean> =>
  (await callsWhileAlive(session, key)).some((way) => way.name === onKeyList && worksEachTime(way));

/** The usage of the live key over 90 days, read with itself; null: it may not read the key list. */
export const liveKeyUsageOf90Days = step(async (session): Promise<Answer | null> => {
  const own = await rotatedLiveKey(session);
  const { id, key } = own;
  return (await managesKeys(session, own))
    ? send(session, `GET ${keysPath}/:id/usage`, { id, key, query: { days: 90 } })
    : null;
});

/** Where the key list shows the live key to the given live key that made it; null: another key made it. */
export const liveKeyListing = step(async (session): Promise<ListSearch | null> => {
  const { record } = await rotatedLiveKey(session);
  if (givenKey(session, 'LIVE_API_KEY') === undefined) {
    return null;
  }
  const listed = await findInListUntil(session, record, ({ isShown }) => isShown, { key: makerFor(session, 'live') });
  if (!listed.isShown) {
    await assertSameKeyAfterRotation(session, listed.last);
  }
  return listed;
});

/**
 * Calls with the live key on an id that no key has: usage and, only where that got 404, rotation and deletion. None
 * where ids of keys can be guessed, since somebody might have the made-up one, or where the live key may not read the
 * key list.
 */
export const unknownIdsWithLiveKey = step(async (session): Promise<readonly Answer[]> => {
  const own = await rotatedLiveKey(session);
  const id = madeUpId(own.id);
  const mayManageKeys = await managesKeys(session, own);
  if (!isUnguessable(id) || !mayManageKeys) {
    return [];
  }
  const call = (endpoint: string): Promise<Answer> =>
    sendWithUnknownId(session, endpoint, {
      collection: keysPath,
      id,
      key: own.key,
      keySetting: own.record.entry.keySetting,
      details: { purpose: 'refusal' },
    });
  const usage = await call(`GET ${keysPath}/:id/usage`);
  if (usage.status !== 404) {
    return [usage];
  }
  session.writeGuard.allow(keysPath, id);
  const writes = [`POST ${keysPath}/:id/rotate`, `DELETE ${keysPath}/:id`];
  return [usage, ...(await Promise.all(writes.map(call)))];
});

/** The deletion of the live key. */
interface LiveKeyDeletion {
  readonly own: RunKey;
  readonly answer: Answer;
  /** The key list before; null: it did not show the key. */
  readonly listed: ListSearch | null;
  /** The key list afterwards; null: it does not show whether the key is gone. */
  readonly after: ListSearch | null;
}

/** Deletes the live key when every step that needs it alive is done. */
export const liveKeyDeletion = step(async (session): Promise<LiveKeyDeletion> => {
  const { before } = await rotationIn(session, 'live');
  const own = await rotatedLiveKey(session);
  await settle(
    keptByRotation(session, 'live'),
    rotatedKeyRead(session, 'live'),
    liveKeyUsage(session),
    liveKeyListing(session),
    liveKeyUsageOf90Days(session),
    unknownIdsWithLiveKey(session),
  );
  const key = await liveManager(session);
  const listed = await lastListing(session, own.record, await liveKeyListing(session), key);
  const answer = await deleteRecord(session, own.record, { key });
  await assertNotDueToRotation(session, answer);
  if (own.id !== before.id) {
    await dropKey(session, before);
  }
  if (!answer.accepted || listed === null || !listed.isShown) {
    return { own, answer, listed: null, after: null };
  }
  const after = await findInListUntil(session, own.record, (search) => !isStillListed(search, listed, own.record), {
    key,
  });
  if (isStillListed(after, listed, own.record)) {
    await noteIneffective(session, keysPath);
  }
  return { own, answer, listed, after };
});
