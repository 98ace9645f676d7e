import { read, workingRead } from '../records/reads.ts';
import type { ApiKey } from '../session/key.ts';
import { givenKey, requireKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { step } from '../session/step.ts';
import { usableKey } from './environments.ts';
import { liveKey, standingKey } from './keys/lending.ts';
import type { RunKey } from './keys/run-key.ts';

/** Keys of one environment whose data is compared: the given one, and one of the run, which may see other data. */
export interface EnvironmentKeys {
  readonly all: readonly ApiKey[];
  readonly givenOrMade: ApiKey;
  /** A key that the run made has a budget of its own. */
  readonly madeOrGiven: ApiKey;
}

/** Keys of both environments. Throws Skipped where there is none of one. */
export const comparedKeys = step(
  async (session): Promise<{ readonly sandbox: EnvironmentKeys; readonly live: EnvironmentKeys }> => {
    const liveMade = await workingKey(session, liveKey(session));
    const liveGiven = givenKey(session, 'LIVE_API_KEY');
    const sandboxGiven = requireKey(session, 'SANDBOX_API_KEY');
    const sandboxMade = await workingKey(session, standingKey(session));
    return {
      sandbox: environmentKeys(sandboxGiven, sandboxMade),
      live: environmentKeys(liveGiven ?? liveMade ?? requireKey(session, 'LIVE_API_KEY'), liveMade),
    };
  },
);

const environmentKeys = (givenOrMade: ApiKey, made: ApiKey | null): EnvironmentKeys => ({
  all: [...new Set([givenOrMade, made ?? givenOrMade])],
  givenOrMade,
  madeOrGiven: made ?? givenOrMade,
});

/** A key that the run made, if it opens a read; null: it does not, or there is none. */
async function workingKey(session: Session, made: Promise<RunKey>): Promise<ApiKey | null> {
  const key = await usableKey(made);
  return key !== null && (await read(session, (await workingRead(session)).id, { key })).accepted ? key : null;
}
