import { resultOrNull } from '../../engine/parts.ts';
import { workingRead } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { type CallDetails, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { tryWrite } from '../calls/working-write.ts';

/** Sends a call with any key, at once. */
type Use = (session: Session, key: ApiKey, details?: CallDetails) => Promise<Answer>;

/** Sends a documented read with any key, at once. */
export const tryKey: Use = async (session, key, details = {}) =>
  session.client.send(callOf(await workingRead(session), key, details));

/** On a read in both modes and on a write: each may look keys up in a place of its own, such as a cache. */
export const ways: readonly Use[] = [
  tryKey,
  (session, key, details) => tryKey(session, key, { ...details, mode: 'query' }),
  (session, key, details) => tryWrite(session, key, 'a deleted key', details),
];

/** Uses a key in every way, twice, so that caches know it: replicas that take turns may each have one. */
export async function useInEveryWay(session: Session, key: ApiKey): Promise<void> {
  for (const use of [...ways, ...ways]) {
    await resultOrNull(use(session, key));
  }
}
