import { resultOrNull } from '../../../engine/parts.ts';
import type { ApiKey } from '../../../session/key.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { makerFor } from './key-makers.ts';
import { liveKey } from './lasting-keys.ts';
import { keysPath } from './run-key.ts';

/**
 * The key that rotates, reads and deletes live keys: the one that makes them. Where that is a sandbox key, which may
 * not find keys of the other environment, it is a live key of the run.
 */
export const liveManager = step(async (session: Session): Promise<ApiKey> => {
  const maker = makerFor(session, 'live');
  const own = maker.environment === 'live' ? null : await resultOrNull(liveKey(session));
  if (own === null) {
    return maker;
  }
  const usage = await resultOrNull(send(session, `GET ${keysPath}/:id/usage`, { id: own.id, key: maker }));
  const ownUsage =
    usage?.status === 404
      ? await resultOrNull(send(session, `GET ${keysPath}/:id/usage`, { id: own.id, key: own.key }))
      : null;
  return ownUsage?.accepted ? own.key : maker;
});
