import { settle } from '../../../engine/parts.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { countingKey } from '../budgets/budget-sharing.ts';
import { countedRefusals } from '../budgets/counted-refusals.ts';
import { dropKey } from '../keys/drop-key.ts';
import { firstKeyDeletion } from '../keys/first-key.ts';
import { liveExportsKey, liveKey } from '../keys/lasting-keys.ts';
import { standingKey } from '../keys/make-key.ts';
import { dropRotated } from '../rotation/kept-by-rotation.ts';
import { rotationIn } from '../rotation/rotation.ts';
import { liveKeyDeletion } from './live-key.ts';

/**
 * Brings the life of each key that the run made, and would keep, to its end, for an account that is full: with -t, there
 * may be no clause that does. Never rejects, since nobody awaits it: who needs one of these steps gets its failure.
 */
export async function makeRoom(session: Session): Promise<void> {
  const rotated = rotationIn.begun(session).map(async (rotation) => {
    const { key } = (await rotation).before;
    const environment = key.madeFor ?? key.environment;
    await (environment === 'live' ? liveKeyDeletion(session) : dropRotated(session, 'sandbox'));
  });
  const counting = countingKey.begun(session).map(() => countedRefusals(session));
  await Promise.allSettled([firstKeyDeletion(session), dropLastingKeys(session), ...rotated, ...counting]);
}

/** Deletes the lasting keys when only the clauses on limits are left; without any, that is up to the clean-up. */
const dropLastingKeys = step(async (session): Promise<void> => {
  if (![...session.clauses].some((clause) => clause.startsWith('developer.limits.'))) {
    return;
  }
  await session.until('quiet');
  const lasting = [standingKey, liveKey, liveExportsKey].flatMap((key) => key.begun(session));
  await settle(...lasting.map(async (key) => dropKey(session, await key)));
});
