import { settle } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { type CallDetails, callOf } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step, stepFor } from '../../../session/step.ts';
import { noteIneffective } from '../../../shared/clean-up/ineffective.ts';
import { findCreated, findInListUntil, type ListSearch } from '../../../shared/lists/list-search.ts';
import { isStillListed } from '../../../shared/lists/listed-records.ts';
import { workingRead } from '../../../shared/reads.ts';
import { deleteRecord } from '../../../shared/records.ts';
import { callsWhileAlive, inQuery } from './calls-while-alive.ts';
import { mainEnvironment } from './key-makers.ts';
import { lastListing } from './last-listing.ts';
import { liveKey } from './lasting-keys.ts';
import { standingKey } from './make-key.ts';
import { keysPath, type RunKey, runKeyOf } from './run-key.ts';
import { firstKeyCreation } from './scope-names.ts';

// The life of the run's first key, which has all twelve scopes, from its creation to its deletion. Each stage is a step
// of its own, so that a stage which cannot be decided leaves the others alone.

/** The run's first key. Throws Inconclusive where its creation yields none. */
export const firstKey = step(
  async (session): Promise<RunKey> =>
    runKeyOf(session, await firstKeyCreation(session), { purpose: 'main', environment: mainEnvironment(session) }),
);

/** Sends a documented read with any key, at once. */
export const tryKey = async (session: Session, key: ApiKey, details: CallDetails = {}): Promise<Answer> =>
  session.client.send(callOf(await workingRead(session), key, details));

/** A documented read with the first key, before its deletion. */
export const firstKeyRead = step(async (session) => tryKey(session, (await firstKey(session)).key));

/** Calls of the first key that got 401 though others accept it: these services do not know keys that the run makes. */
export const firstKeyRefusals = step(async (session): Promise<readonly Answer[]> => {
  const { key } = await firstKey(session);
  if (!(await firstKeyRead(session)).accepted) {
    return [];
  }
  const ways = (await callsWhileAlive(session, key)).filter(({ isKnown }) => isKnown);
  // In the query, the mode itself may be refused: the same call in the usual mode counts.
  const answers = ways.flatMap((way) => (way.name === inQuery ? [way.inUsualMode] : way.answers));
  return answers.flatMap((answer) => (answer?.status === 401 ? [answer] : []));
});

/** Where the key list shows the first key before its deletion. */
export const firstKeyListing = step(async (session) => findCreated(session, (await firstKey(session)).record));

/** Values of `days` for the usage call: documented ones, and some that the document leaves open; `none`: no `days`. */
export const usageDays = { documented: ['none', '1', '7', '90'], open: ['91', '1.5', 'soon'] } as const;

/** The usage of the first key over a number of days, one of `usageDays`, before its deletion. */
export const firstKeyUsage = stepFor(
  (days: string) => days,
  async (session, days): Promise<Answer> =>
    send(session, `GET ${keysPath}/:id/usage`, {
      id: (await firstKey(session)).id,
      ...(days === 'none' ? {} : { query: { days } }),
      ...((usageDays.open as readonly string[]).includes(days) ? { purpose: 'off-document' } : {}),
    }),
);

/** Every step that needs the first key alive. */
const firstKeyUses = step(async (session): Promise<void> => {
  const { key } = await firstKey(session);
  const days = [...usageDays.documented, ...usageDays.open];
  await settle(
    firstKeyRead(session),
    firstKeyListing(session),
    callsWhileAlive(session, key),
    // An account with room for one key refuses a lasting key as long as the first key exists.
    standingKey(session),
    liveKey(session),
    ...days.map((one) => firstKeyUsage(session, one)),
  );
});

/** Where the key list shows the first key when it is about to be deleted. */
export const firstKeyLastListing = step(async (session): Promise<ListSearch> => {
  await firstKeyUses(session);
  return lastListing(session, (await firstKey(session)).record, await firstKeyListing(session));
});

/** The answer to the deletion of the first key. */
export const firstKeyDeletion = step(async (session): Promise<Answer> => {
  const { record } = await firstKey(session);
  await settle(firstKeyUses(session), firstKeyLastListing(session));
  return deleteRecord(session, record);
});

/** The key list after the deletion of the first key, read again for KEY_SETTLE_MS as long as it shows the key. */
export const firstKeyListingAfterDeletion = step(async (session): Promise<ListSearch> => {
  const { record } = await firstKey(session);
  await firstKeyDeletion(session);
  const before = await firstKeyLastListing(session);
  const after = await findInListUntil(session, record, (search) => !isStillListed(search, before, record));
  if (isStillListed(after, before, record)) {
    await noteIneffective(session, keysPath);
  }
  return after;
});
