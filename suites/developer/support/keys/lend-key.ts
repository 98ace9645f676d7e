import type { Environment, Scope } from '../../../../contract/scopes.ts';
import { createSemaphore } from '../../../session/semaphore.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { dropKey, makeKey } from './make-key.ts';
import type { OwnKey } from './own-key.ts';

/** Most keys that are lent at a time. */
const mostLent = 2;
const lending = step(async () => createSemaphore(mostLent));

/** Makes a key for a while: it is deleted when its use ends. Throws as `makeKey` does, and what the use throws. */
export async function lendKey<T>(
  session: Session,
  [purpose, chosen, environment]: readonly [purpose: string, chosen: readonly Scope[], environment?: Environment],
  use: (own: OwnKey) => Promise<T>,
): Promise<T> {
  const withPermit = await lending(session);
  const lent = async (): Promise<T> => {
    const own = await makeKey(session, purpose, chosen, environment === undefined ? {} : { environment });
    try {
      return await use(own);
    } finally {
      await dropKey(session, own);
    }
  };
  return withPermit(lent);
}
