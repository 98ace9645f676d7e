import { describeAnswer, undecided } from '../../../engine/expect.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { givenKey } from '../../../session/keys.ts';
import { isUnguessable } from '../../../session/reading/unguessable.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { noteIneffective } from '../../../shared/clean-up/ineffective.ts';
import { isListed } from '../../../shared/lists/created.ts';
import { type ListSearch, lookUntil } from '../../../shared/lists/list-search.ts';
import { deleteRecord } from '../../../shared/records.ts';
import { madeUpId } from '../../../shared/unknown-ids/made-up-ids.ts';
import { usageSince } from '../rotation/rotated-id.ts';
import { keptIn, rotatedUse, rotationIn } from '../rotation/rotation.ts';
import { dropKey, liveKey, liveUse, makerFor } from './make-key.ts';
import { keysPath, type OwnKey } from './own-key.ts';
import { isAlive, onKeyList, triedAlive } from './tried-key.ts';

// The life of a live key: the one that is rotated. Each step throws Skipped where no live key may be made.

/** A live key that the run made. An account may have no room for one beside that which is rotated. */
export const newLiveKey = async (session: Session): Promise<OwnKey> =>
  (await resultOrNull(liveKey(session))) ?? (await rotationIn(session, 'live')).before;

/** A call with it, made when it was; undefined: none could be made. */
export async function newLiveUse(session: Session): Promise<Answer | undefined> {
  const use = await resultOrNull(liveUse(session));
  return use ?? (await rotationIn(session, 'live')).opened.find((answer) => answer !== null);
}

async function rotated(session: Session): Promise<OwnKey> {
  const { answer, isIdKnown, after } = await rotationIn(session, 'live');
  if (!isIdKnown) {
    const message = 'Rotation gave the live key another id, which neither its answer nor the key list shows';
    throw undecided(answer, message, 'developer.keys.list');
  }
  return after();
}

/** Throws Inconclusive where the key is not found because its rotation killed it, or made it one of the other environment. */
async function assertAlive(session: Session, answer: Answer): Promise<void> {
  const use = answer.status === 404 ? await resultOrNull(rotatedUse(session, 'live')) : null;
  if (use?.status === 401) {
    throw undecided(use, `Live key is unknown since its rotation: ${describeAnswer(use)}`, 'developer.keys.rotate');
  }
  if (use !== null) {
    await assertKept(session, answer);
  }
}

/** Throws Inconclusive where the rotation did not keep what it has to: the key may have gone where other keys do not see it. */
async function assertKept(session: Session, answer: Answer): Promise<void> {
  if ((await resultOrNull(keptIn(session, 'live')))?.failures.length) {
    throw undecided(answer, 'Live key is another since its rotation', 'developer.keys.rotate-keeps');
  }
}

/** Its usage, without days. */
export const liveUsage = step(async (session): Promise<Answer> => {
  const { id } = await rotated(session);
  const key = makerFor(session, 'live');
  const first = await usageSince(session, id, key);
  const answer = first.accepted ? first : await send(session, `GET ${keysPath}/:id/usage`, { id, key });
  await assertAlive(session, answer);
  return answer;
});

/** The same with the most days that are documented, read by itself; null: it does not list keys, and may know none. */
export const liveUsageOfMost = step(async (session): Promise<Answer | null> => {
  const { id, key } = await rotated(session);
  const mayManage = (await triedAlive(session, key)).some((way) => way.name === onKeyList && isAlive(way));
  return mayManage ? send(session, `GET ${keysPath}/:id/usage`, { id, key, query: { days: 90 } }) : null;
});

/** Where it stands in the key list of the live key that made it; null: another key made it, and may not see it. */
export const liveListed = step(async (session): Promise<ListSearch | null> => {
  const { record } = await rotated(session);
  if (givenKey(session, 'LIVE_API_KEY') === undefined) {
    return null;
  }
  const listed = await lookUntil(session, record, ({ isShown }) => isShown, { key: makerFor(session, 'live') });
  if (!listed.isShown) {
    await assertKept(session, listed.last);
  }
  return listed;
});

/**
 * Calls with it, while it lives and lists keys, that name a key which nobody has: what changes something is sent only where the read
 * got 404.
 */
export const unknownToLive = step(async (session): Promise<readonly Answer[]> => {
  const own = await rotated(session);
  const [id, ways] = [madeUpId(own.id), await triedAlive(session, own.key)];
  if (!isUnguessable(id) || !ways.some((way) => way.name === onKeyList && isAlive(way))) {
    return [];
  }
  const call = (endpoint: string): Promise<Answer> => send(session, endpoint, { id, key: own.key, purpose: 'refusal' });
  const read = await call(`GET ${keysPath}/:id/usage`);
  if (read.status !== 404) {
    return [read];
  }
  session.writeGuard.allow(keysPath, id);
  return [read, ...(await Promise.all([call(`POST ${keysPath}/:id/rotate`), call(`DELETE ${keysPath}/:id`)]))];
});

/** Its deletion, which waits for all that needs it alive, and what the list shows then. */
export const liveDeletion = step(
  async (session): Promise<{ own: OwnKey; answer: Answer; after: ListSearch | null }> => {
    const { before } = await rotationIn(session, 'live');
    const own = await rotated(session);
    await settle(
      ...[keptIn(session, 'live'), rotatedUse(session, 'live'), liveUsage(session), liveListed(session)],
      ...[liveUsageOfMost(session), unknownToLive(session)],
    );
    const key = makerFor(session, 'live');
    const answer = await deleteRecord(session, own.record, { key });
    await assertAlive(session, answer);
    if (own.id !== before.id) {
      await dropKey(session, before);
    }
    const listed = await liveListed(session);
    const isTold = answer.accepted && listed?.isShown === true;
    const after = isTold ? await lookUntil(session, own.record, (one) => !isListed(one, listed), { key }) : null;
    if (after !== null && isListed(after, listed)) {
      await noteIneffective(session, keysPath);
    }
    return { own, answer, after };
  },
);
