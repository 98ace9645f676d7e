import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Tally } from '../../../results/outcome.ts';
import { judgePart, resultOrNull } from '../../engine/parts.ts';
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
const moduleReads = step(async (session): Promise<readonly Endpoint[]> => {
  const reads = session.api.endpoints.filter((endpoint) => isPlainRead(endpoint) && endpoint.scope !== null);
  const firstOfModules = [...Map.groupBy(reads, ({ scope }) => scope).values()].map(([first]) => first as Endpoint);
  const answers = await Promise.all(firstOfModules.map(({ id }) => resultOrNull(read(session, id))));
  const working = firstOfModules.filter((_, index) => answers[index]?.accepted === true);
  return working.length > 0 ? working : [await workingRead(session)];
});

/** Sends the module read whose turn it is, of those that the key's scopes open. */
const readModule = async (session: Session, key: ApiKey, details: CallDetails, turn: number): Promise<Answer> => {
  const all = await moduleReads(session);
  const open = all.filter((endpoint) => hasScopeFor(key, endpoint));
  const endpoints = open.length > 0 ? open : all;
  return session.client.send(callOf(endpoints[turn % endpoints.length] as Endpoint, key, details));
};

/** Whether a key may have a scope of the endpoint's module: the scopes of a given key are not known. */
const hasScopeFor = ({ creation }: ApiKey, { scope }: Endpoint): boolean =>
  scope === null || creation === undefined || creation.scopes.some((one) => one.startsWith(`${scope}:`));

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

/** A way of calling, and its answers while the key was not deleted. */
export interface TriedWay extends Way {
  /** By round; null: the call could not be made. */
  readonly answers: readonly (Answer | null)[];
}

/** Uses a key in every way, several times each. */
export async function useInEveryWay(session: Session, key: ApiKey): Promise<readonly TriedWay[]> {
  const tried: TriedWay[] = [];
  for (const way of ways) {
    const answers: (Answer | null)[] = [];
    for (let round = 0; round < rounds; round += 1) {
      answers.push(await resultOrNull(way.send(session, key, {}, round)));
    }
    tried.push({ ...way, answers });
  }
  return tried;
}

/** Whether the key was accepted that way each time. */
export const worksEachTime = ({ answers }: Pick<TriedWay, 'answers'>): boolean =>
  answers.every((answer) => answer?.accepted === true);

/** A way of calling, and its answers after the key's deletion. */
export interface WayAfterDeletion extends Way {
  readonly answers: Answer[];
  /** The first answer that is no refusal with 401, and what a key that was never issued gets in its place. */
  notRefused?: { readonly answer: Answer; readonly unknown: Answer };
}

/**
 * Tries a deleted key in each way in which it worked, from KEY_SETTLE_MS after the deletion on, for as long. A call that
 * cannot be made leaves its part of the tally open.
 */
export async function useAfterDeletion(
  session: Session,
  tally: Tally,
  key: ApiKey,
  { uses, deletedAt }: { readonly uses: readonly TriedWay[]; readonly deletedAt: number },
): Promise<readonly WayAfterDeletion[]> {
  const { clock, settings } = session;
  const tried = uses.filter(worksEachTime).map((way): WayAfterDeletion => ({ ...way, answers: [] }));
  const callIn = (way: WayAfterDeletion, round: number): Promise<void> =>
    judgePart(tally, async () => {
      const answer = await way.send(session, { ...key, origin: 'unknown' }, { purpose: 'refusal' }, round);
      if (answer.status !== 0 && answer.status !== 401 && way.notRefused === undefined) {
        // What a key that was never issued gets too is not due to the deletion. Later, it might be limited.
        const unknown = await way.send(session, unknownKeyLike(session, key), { purpose: 'refusal' }, round);
        way.notRefused = { answer, unknown };
      }
      way.answers.push(answer);
    });
  // A call for each replica, before bad keys may be sent: by then, a cache of a minute would be empty.
  await clock.sleep(deletedAt + settings.KEY_SETTLE_MS - clock.now());
  for (const way of tried.slice(0, rounds)) {
    await callIn(way, 0);
  }
  await session.until('badKeys');
  for (let round = 0; round < rounds; round += 1) {
    await clock.sleep(round === 0 ? 0 : settings.KEY_SETTLE_MS / rounds);
    for (const way of round === 0 ? tried.slice(rounds) : tried) {
      await callIn(way, round);
    }
  }
  return tried;
}
