import type { ApiKey } from '../../../session/key.ts';
import { givenKey, requireKey } from '../../../session/keys.ts';
import { step } from '../../../session/step.ts';
import { tryKey } from '../keys/first-key.ts';
import { liveKey, standingKey } from '../keys/make-key.ts';
import type { RunKey } from '../keys/run-key.ts';
import { usableKey } from './environments.ts';

/** The keys of each side: the given one, and one that the run made, which may be bound to other data. */
interface Sides {
  readonly sandbox: readonly ApiKey[];
  readonly live: readonly ApiKey[];
}

/** Throws Skipped where a side has no key. */
export const comparedKeys = step(async (session): Promise<Sides> => {
  const made = async (key: Promise<RunKey>): Promise<readonly ApiKey[]> => {
    const [own] = await usableKey(key);
    return own !== undefined && (await tryKey(session, own)).accepted ? [own] : [];
  };
  const given = givenKey(session, 'LIVE_API_KEY');
  const live = [...(given === undefined ? [] : [given]), ...(await made(liveKey(session)))];
  return {
    sandbox: [requireKey(session, 'SANDBOX_API_KEY'), ...(await made(standingKey(session)))],
    live: live.length === 0 ? [requireKey(session, 'LIVE_API_KEY')] : live,
  };
});
