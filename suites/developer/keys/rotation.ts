import { endpointOf } from '../../../contract/endpoints.ts';
import { resultOrNull, type Told, told, toldOrNull } from '../../engine/parts.ts';
import { begunAfter } from '../../records/list-reading.ts';
import { findInList, type ListSearch, readUntil } from '../../records/list-search.ts';
import type { Created } from '../../records/own.ts';
import { type Answer, isServerFailure, isSuccess } from '../../session/answer.ts';
import { type CallDetails, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { type Entry, intentOf } from '../../session/ledger/ledger.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { tryWrite } from '../calls/working-write.ts';
import { trySeeding } from '../seeding.ts';
import { keyIdIn, keysPath, type RunKey, runKeyOf, secretIn } from './run-key.ts';
import { tryKey } from './ways.ts';

/** Lists with other records in each environment, and what a record is called. */
export const recordLists = {
  'GET /api/v1/ads/campaigns': 'campaign',
  'GET /api/v1/investor/pipeline': 'deal',
} as const;

/** A call with the key that is rotated, before and after. null: it could not be made, or decides nothing. */
export interface Trial {
  readonly before: Answer | null;
  readonly after: Answer | null;
  /** Makes it once more with the new secret. */
  readonly again: () => Promise<Answer>;
  /** The list of records that it reads, if any. */
  readonly list: keyof typeof recordLists | undefined;
}

/** What the run saw of a rotation. */
export interface Rotation {
  readonly answer: Answer;
  /** The key with its new secret. Throws Inconclusive where the answer shows none. */
  readonly successor: Told<RunKey>;
  /** A documented read with the new secret. */
  readonly firstRead: Told<Answer>;
  readonly trials: readonly Trial[];
  /** Where the key list shows the key, read with its new secret; null: it was not read. */
  readonly listed: ListSearch | null;
  /** The secret before: right after the rotation, and KEY_SETTLE_MS later; null: it was not tried. */
  readonly former: { readonly key: ApiKey; readonly atOnce: Answer; readonly later: Answer } | null;
}

type Call = (session: Session, key: ApiKey, details: CallDetails) => Promise<Answer>;

const callEndpoint =
  (id: string, mode?: 'query'): Call =>
  (session, key, details) =>
    session.client.send(callOf(endpointOf(id), key, mode === undefined ? details : { ...details, mode }));

const lists = Object.keys(recordLists) as (keyof typeof recordLists)[];

/** Calls that are accepted before the rotation and after it, or neither time; those of `lists` first, in order. */
const calls: readonly Call[] = [
  ...lists.map((id) => callEndpoint(id)),
  callEndpoint('GET /api/v1/platform/me'),
  callEndpoint('GET /api/v1/content/posts'),
  callEndpoint('GET /api/v1/developer/export/leads'),
  // Each mode may look keys up in a place of its own.
  callEndpoint('GET /api/v1/inbox/skills', 'query'),
  (session, key, details) => tryWrite(session, key, 'a rotated key', details),
];

/** Tries a key, rotates it, and tries the old secret and the new one. `manager`: the key that rotates it. */
export async function rotate(
  session: Session,
  own: RunKey,
  { manager, triesFormer }: { readonly manager: ApiKey; readonly triesFormer: boolean },
): Promise<Rotation> {
  // Only seeded lists show which environment a key reads.
  await trySeeding(session);
  const before = await Promise.all(calls.map((call) => resultOrNull(call(session, own.key, {}))));
  const { answer, entry } = await rotateKey(session, own, { key: manager });
  const id = await idAfter(session, answer, own, manager);
  const record = recordAfter(session, own, id, { answer, entry });
  const role = { purpose: `${own.key.environment}, rotated`, environment: own.key.madeFor ?? environmentOf(own) };
  const successor = (): RunKey => runKeyOf(session, record, role, answer, own.key);
  const key = toldOrNull(successor)?.key ?? null;

  const former: ApiKey = { ...own.key, origin: 'unknown' };
  const useFormer = async (): Promise<Answer | null> =>
    triesFormer && answer.accepted ? tryKey(session, former, { purpose: 'off-document' }) : null;
  const atOnce = await useFormer();
  const firstRead = await told(() => tryKey(session, successor().key));
  const trials = await tryAgain(session, before, key);
  const reuse = begunAfter(session, answer);
  const listed = key === null ? null : await resultOrNull(findInList(session, keysPath, record, { key, reuse }));
  await session.clock.sleep(
    atOnce === null ? 0 : atOnce.exchange.receivedAt + session.settings.KEY_SETTLE_MS - session.clock.now(),
  );
  const later = await useFormer();
  return {
    answer,
    successor,
    firstRead,
    trials,
    listed,
    former: atOnce === null || later === null ? null : { key: former, atOnce, later },
  };
}

const environmentOf = ({ key }: RunKey): 'live' | 'sandbox' => (key.environment === 'live' ? 'live' : 'sandbox');

/** Makes the calls again that were accepted or forbidden before; what shows the key as it was is repeated. */
async function tryAgain(
  session: Session,
  before: readonly (Answer | null)[],
  key: ApiKey | null,
): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  for (const [index, call] of calls.entries()) {
    const earlier = before[index] ?? null;
    const wasForbidden = earlier?.status === 403;
    const isOutdated = (status: number): boolean => (wasForbidden ? status !== 403 : [401, 403].includes(status));
    if (key !== null && (earlier?.accepted || wasForbidden)) {
      const after = await resultOrNull(call(session, key, { isOutdated }));
      trials.push({ before: earlier, after, again: () => call(session, key, {}), list: lists[index] });
    }
  }
  return trials;
}

/**
 * Rotates a key of the run, after a line in the ledger: a rotation may make a record with another id, even if its
 * answer is lost or refuses. That record has the name of the key. Throws as the client does.
 */
export async function rotateKey(
  session: Session,
  { id, record }: Pick<RunKey, 'id' | 'record'>,
  details: CallDetails & { readonly key: ApiKey | null },
): Promise<{ readonly answer: Answer; readonly entry: Entry }> {
  const entry = session.ledger.intend(intentOf(record.entry));
  try {
    const answer = await send(session, `POST ${keysPath}/:id/rotate`, { ...details, id });
    if (!isSuccess(answer) && !isServerFailure(answer)) {
      session.ledger.remove(entry);
    }
    return { answer, entry };
  } catch (error) {
    // A call that was never sent created nothing.
    session.ledger.remove(entry);
    throw error;
  }
}

/**
 * The id of the record that has the new secret; null: nothing shows it. It is one beside that secret, if the usage call
 * takes it and no list showed it before the run; otherwise the one that the key had, unless that is gone.
 */
async function idAfter(session: Session, answer: Answer, own: RunKey, manager: ApiKey): Promise<string | null> {
  const secret = answer.accepted ? secretIn(answer, own.key.secret) : undefined;
  const shown = secret === undefined ? own.id : keyIdIn(session, answer, secret.pointer);
  if (shown === own.id) {
    return own.id;
  }
  const isTaken = async (id: string): Promise<boolean> => {
    const usage = () => resultOrNull(send(session, `GET ${keysPath}/:id/usage`, { id, key: manager }));
    return (await readUntil(session, usage, (one) => one?.status !== 404))?.status !== 404;
  };
  if (shown !== undefined && (await isTaken(shown)) && session.writeGuard.allow(keysPath, shown)) {
    return shown;
  }
  return (await isTaken(own.id)) ? own.id : null;
}

/** The record of the key after its rotation. A new one is noted in the ledger, as the run's to delete. */
function recordAfter(
  session: Session,
  { id: former, record }: RunKey,
  id: string | null,
  { answer, entry }: { readonly answer: Answer; readonly entry: Entry },
): Created {
  if (id === former) {
    // Where the answer is lost, the list shows at the end whether there is a new record.
    if (answer.accepted) {
      session.ledger.remove(entry);
    }
    return record;
  }
  if (id === null) {
    session.ledger.accept(entry);
    return record;
  }
  session.ledger.identify(entry, id);
  session.settling.made(keysPath, id, session.clock.now());
  return { ...record, id, entry };
}
