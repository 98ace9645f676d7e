import { resultOrNull } from '../../engine/parts.ts';
import type { ApiKey } from '../../session/key.ts';
import { givenKey, mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { tryKey } from './key-life.ts';
import { liveKey } from './make-key.ts';

/**
 * A live key for clauses that name no environment: the given one, or with WRITES=all one that the run makes. null: none can
 * be had, or none that works.
 */
const liveKeyAtHand = step(async (session): Promise<ApiKey | null> => {
  const given = givenKey(session, 'LIVE_API_KEY');
  if (given !== undefined) {
    return given;
  }
  const made = await resultOrNull(liveKey(session));
  return made !== null && (await tryKey(session, made.key)).accepted ? made.key : null;
});

/** The keys with which a clause that names no environment is judged: the main key, and a live one where one can be had. */
export async function keysOfBothEnvironments(session: Session): Promise<readonly ApiKey[]> {
  const main = mainKey(session);
  const live = main.environment === 'live' ? null : await liveKeyAtHand(session);
  return live === null ? [main] : [main, live];
}
