import type { Environment, Scope } from '../../../../contract/scopes.ts';
import { createSemaphore } from '../../../session/semaphore.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { dropKey } from './drop-key.ts';
import { makeKey } from './make-key.ts';
import type { RunKey } from './run-key.ts';

/** Most keys that are lent at a time: an account may have room for few. */
const mostLent = 2;
const lending = step(async () => createSemaphore(mostLent));

/** Makes a key for `use`, and deletes it afterwards. Throws as `makeKey` does, and what `use` throws. */
export async function lendKey<T>(
  session: Session,
  [purpose, scopes, environment]: readonly [purpose: string, scopes: readonly Scope[], environment?: Environment],
  use: (own: RunKey) => Promise<T>,
): Promise<T> {
  const withPermit = await lending(session);
  return withPermit(async () => {
    const key = await makeKey(session, purpose, scopes, environment === undefined ? {} : { environment });
    try {
      return await use(key);
    } finally {
      await dropKey(session, key);
    }
  });
}
