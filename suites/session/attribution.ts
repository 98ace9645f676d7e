import { AsyncLocalStorage } from 'node:async_hooks';

// On whose behalf calls are made, and who waits for a moment of the run.

/**
 * The moments of a run that checks may wait for. `quiet`: no other check sends calls. `badKeys`: a lockout can harm no
 * other clause, so that calls with a bad key, or without one, may be made.
 */
export type Moment = 'quiet' | 'badKeys';

/** The check of a clause, with the steps that it asks for first. */
const storage = new AsyncLocalStorage<{ readonly clause: string; readonly mayAwait: (moment: Moment) => boolean }>();

/** Runs the check of a clause: its waits are booked as the clause's. `mayAwait`: whether it may wait for the moment. */
export const attributeToClause = <T>(
  clause: string,
  work: () => Promise<T>,
  mayAwait: (moment: Moment) => boolean,
): Promise<T> => storage.run({ clause, mayAwait }, work);

/** The clause whose check runs; within a step, the one that asked for it first. undefined outside of checks. */
export const currentClause = (): string | undefined => storage.getStore()?.clause;

export function createMoments() {
  const open = () => ({ isOver: false, ...Promise.withResolvers<void>() });
  const moments = { quiet: open(), badKeys: open() };
  return {
    /** Resolves at the moment. Throws where a check awaits it that does not say so (`atMoment`): neither would come. */
    async until(moment: Moment): Promise<void> {
      const { isOver, promise } = moments[moment];
      const caller = storage.getStore();
      if (!isOver && caller?.mayAwait(moment) === false) {
        throw new Error(`Cannot wait for ${moment}: ${caller.clause} is not listed with atMoment('${moment}', …)`);
      }
      return promise;
    },
    /** Lets the moment come. */
    reach(moment: Moment): void {
      moments[moment].isOver = true;
      moments[moment].resolve();
    },
  };
}
