import { resultOrNull } from '../../engine/parts.ts';
import { isPlainRead, read, workingRead } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { type CallDetails, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { unknownKeyLike } from '../../shared/refusals/never-issued.ts';
import { tryWrite } from '../calls/working-write.ts';
import { keysPath } from './run-key.ts';

/** Sends a documented read with any key, at once. */
export const tryKey = async (session: Session, key: ApiKey, details: CallDetails = {}): Promise<Answer> =>
  session.client.send(callOf(await workingRead(session), key, details));

/** A way of calling with a key. */
interface Way {
  /** `on a write`: follows the key's name in findings. */
  readonly name: string;
  /** Sends a call with the key. Each round, counted from 0, may call another endpoint. */
  readonly send: (session: Session, key: ApiKey, details: CallDetails, round: number) => Promise<Answer>;
}

/** A working read of each module, since each module may be a service that looks keys up for itself. */
const moduleReads = step(async (session) => {
  const reads = session.api.endpoints.filter((endpoint) => isPlainRead(endpoint) && endpoint.scope !== null);
  const answers = await Promise.all(reads.map(({ id }) => resultOrNull(read(session, id))));
  const working = reads.filter((_, index) => answers[index]?.accepted === true);
  const ofModules = [...Map.groupBy(working, ({ scope }) => scope).values()].flatMap(([first]) => first ?? []);
  return ofModules.length > 0 ? ofModules : [await workingRead(session)];
});

/** Sends the module read whose turn it is. */
async function readModule(session: Session, key: ApiKey, details: CallDetails, turn: number): Promise<Answer> {
  const reads = await moduleReads(session);
  return session.client.send(callOf(reads[turn % reads.length] ?? (await workingRead(session)), key, details));
}

/** How often each way is tried before a deletion, and after it: replicas that take turns may each cache keys. */
const rounds = 3;

export const inQuery = 'in the query';
export const onKeyList = 'on the key list';

/** In both modes, on a read, on a write and on key management: each may look keys up in a place of its own. */
const ways: readonly Way[] = [
  { name: 'on a read', send: readModule },
  {
    name: inQuery,
    send: (session, key, details, round) => readModule(session, key, { ...details, mode: 'query' }, round + rounds),
  },
  { name: 'on a write', send: (session, key, details) => tryWrite(session, key, 'a deleted key', details) },
  { name: onKeyList, send: (session, key, details) => send(session, `GET ${keysPath}`, { ...details, key }) },
];

/** A way of calling, and its answers while the key was not deleted; null: a call could not be made. */
export interface TriedWay extends Way {
  readonly answers: readonly (Answer | null)[];
}

/** Uses a key in every way, several times each. */
export async function useInEveryWay(session: Session, key: ApiKey): Promise<readonly TriedWay[]> {
  const tried = ways.map((way) => ({ ...way, answers: [] as (Answer | null)[] }));
  for (const way of tried) {
    for (let round = 0; round < rounds; round += 1) {
      way.answers.push(await resultOrNull(way.send(session, key, {}, round)));
    }
  }
  return tried;
}

/** Whether the key was accepted that way each time. */
export const worksEachTime = ({ answers }: TriedWay): boolean => answers.every((answer) => answer?.accepted === true);

/** A way of calling, and its answers after the key's deletion, as far as calls could be made. */
export interface WayAfterDeletion extends Way {
  readonly answers: Answer[];
  /** The first answer that is no refusal with 401, and what a key that was never issued gets in its place. */
  notRefused?: { readonly answer: Answer; readonly unknown: Answer };
}

/** Tries a deleted key in each way in which it worked, from KEY_SETTLE_MS after the deletion on, for as long. */
export async function useAfterDeletion(
  session: Session,
  key: ApiKey,
  uses: readonly TriedWay[],
  deletion: Answer,
): Promise<readonly WayAfterDeletion[]> {
  const { clock, settings } = session;
  const tried = uses.filter(worksEachTime).map((way): WayAfterDeletion => ({ ...way, answers: [] }));
  const call = async (way: WayAfterDeletion, round: number): Promise<void> => {
    const answer = await way.send(session, { ...key, origin: 'unknown' }, { purpose: 'refusal' }, round);
    if (answer.status !== 0 && answer.status !== 401 && way.notRefused === undefined) {
      // What a key that was never issued gets too is not due to the deletion. Later, it might be limited.
      const unknown = await way.send(session, unknownKeyLike(session, key), { purpose: 'refusal' }, round);
      way.notRefused = { answer, unknown };
    }
    way.answers.push(answer);
  };
  await clock.sleep(deletion.exchange.receivedAt + settings.KEY_SETTLE_MS - clock.now());
  // A call for each replica, before bad keys may be sent: by then, a cache of a minute would be empty.
  for (const way of tried.slice(0, rounds)) {
    await resultOrNull(call(way, 0));
  }
  await session.until('badKeys');
  for (let round = 0; round < rounds; round += 1) {
    for (const way of tried) {
      await resultOrNull(call(way, round));
    }
    await clock.sleep(settings.KEY_SETTLE_MS / rounds);
  }
  return tried;
}
