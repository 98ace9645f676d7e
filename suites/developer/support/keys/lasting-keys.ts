import { scopes, scopesOf } from '../../../../contract/scopes.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { callOf } from '../../../session/call.ts';
import { step } from '../../../session/step.ts';
import { workingRead } from '../../../shared/reads.ts';
import { makeKey } from './make-key.ts';
import type { RunKey } from './run-key.ts';

/** A live key, and the answer to its first read; null: no read can be made. */
const liveKeyAndRead = step(async (session): Promise<{ readonly own: RunKey; readonly answer: Answer | null }> => {
  const own = await makeKey(session, 'live', scopes, { environment: 'live', turn: 'never' });
  // At once and alone: a key that is not known yet is waited for, and so would many calls with it be.
  const answer = await resultOrNull((async () => session.client.send(callOf(await workingRead(session), own.key)))());
  return { own, answer };
});

/** Kept for the whole run: a live key with all scopes. */
export const liveKey = step(async (session) => (await liveKeyAndRead(session)).own);

/** A live key for the exports: reads of all filters with one key would take more than its minute. */
export const liveExportsKey = step((session) =>
  makeKey(session, 'live exports', scopesOf('scheduling'), { environment: 'live', turn: 'never' }),
);

/** A documented read with the live key, sent when the key was made. Throws Inconclusive where none can be made. */
export const liveKeyRead = step(
  async (session): Promise<Answer> =>
    (await liveKeyAndRead(session)).answer ??
    session.client.send(callOf(await workingRead(session), (await liveKey(session)).key)),
);

/** The key named by key-management calls that must be refused. Nothing else depends on it, if one takes effect. */
export const targetKey = step((session) => makeKey(session, 'in refused calls', scopes, { turn: 'badKeys' }));

/** A documented read with the target key, before any such call is made. */
export const targetKeyRead = step(
  async (session): Promise<Answer> =>
    session.client.send(callOf(await workingRead(session), (await targetKey(session)).key)),
);
