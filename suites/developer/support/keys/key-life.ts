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
import { createdKey, ownEnvironment } from './make-key.ts';
import { keysPath, type OwnKey, ownKeyOf } from './own-key.ts';
import { inQuery, triedAlive } from './tried-key.ts';

// The life of one throw-away key with all twelve scopes, from creation to after its deletion. Each stage is a step of its
// own: one that cannot be decided leaves the others alone.

/** The key. Throws Inconclusive where creation yields none. */
export const firstKey = step(
  async (session): Promise<OwnKey> =>
    ownKeyOf(session, await createdKey(session), { purpose: 'first', environment: ownEnvironment(session) }),
);

/** A documented read with any key, sent now. */
export const tryKey = async (session: Session, key: ApiKey, details: CallDetails = {}): Promise<Answer> =>
  session.client.send(callOf(await workingRead(session), key, details));

/** A documented read with the key, while it lives. */
export const firstUse = step(async (session) => tryKey(session, (await firstKey(session)).key));

/** Calls with it that are refused with 401, though it is known on a read: by services that have not heard of it. */
export const firstRefused = step(async (session): Promise<readonly Answer[]> => {
  const [own, use] = [await firstKey(session), await firstUse(session)];
  const tried = use.accepted ? await triedAlive(session, own.key) : [];
  const known = tried.filter(({ isKnown }) => isKnown);
  const answers = known.flatMap((way) => (way.name === inQuery ? [way.beside] : way.answers));
  return answers.filter((answer) => answer?.status === 401) as Answer[];
});

/** Where it stands in the key list, while it lives. */
export const firstListed = step(async (session) => findCreated(session, (await firstKey(session)).record));

/** Values of `days` for the usage call: documented ones, and some that the document leaves open; `none` is a call without. */
export const usageDays = { documented: ['none', '1', '7', '90'], open: ['91', '1.5', 'soon'] } as const;

/** Its usage, while it lives. */
export const usageFor = stepFor(
  (days: string) => days,
  async (session, days): Promise<Answer> =>
    send(session, `GET ${keysPath}/:id/usage`, {
      id: (await firstKey(session)).id,
      ...(days === 'none' ? {} : { query: { days } }),
      ...((usageDays.open as readonly string[]).includes(days) ? { purpose: 'off-document' } : {}),
    }),
);

/** The answer to its deletion, which waits for all that needs it alive. */
export const firstDeleted = step(async (session): Promise<Answer> => {
  const { record, key } = await firstKey(session);
  const days = [...usageDays.documented, ...usageDays.open];
  await settle(
    firstUse(session),
    firstListed(session),
    triedAlive(session, key),
    ...days.map((one) => usageFor(session, one)),
  );
  return deleteRecord(session, record);
});

/** The key list after the deletion, read again as long as it shows the key. */
export const firstListedAfter = step(async (session): Promise<ListSearch> => {
  const { record } = await firstKey(session);
  await firstDeleted(session);
  const before = await firstListed(session);
  const after = await findInListUntil(session, record, (one) => !isStillListed(one, before));
  if (isStillListed(after, before)) {
    await noteIneffective(session, keysPath);
  }
  return after;
});
