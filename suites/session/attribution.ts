import { AsyncLocalStorage } from 'node:async_hooks';

// On whose behalf steps are made, and who waits for a moment of the run.

/**
 * The moments of a run that checks may wait for. `quiet`: no other check sends calls. `badKeys`: a lockout can harm no
 * other clause, so that calls with a bad key, or without one, may be made.
 */
export type Moment = 'quiet' | 'badKeys';

/** A moment that has come, or is waited for. */
interface Wait {
  readonly moment: Moment;
  isOver: boolean;
}

/** On whose behalf anything is done: the check of a clause, or a step that several checks ask for. */
interface Caller {
  /** The clause whose check runs, or whose check asked first for the step; undefined outside of checks. */
  readonly clause: string | undefined;
  /** The callers that asked for the step. */
  readonly askedBy: Set<Caller>;
  /** Whether the check may wait for the moment; absent: it is a step. */
  readonly mayAwait?: (moment: Moment) => boolean;
  /** What it waits for, itself or in a step that it asked for. */
  readonly waits: Set<Wait>;
}

const storage = new AsyncLocalStorage<Caller>();

/** Runs the check of a clause: its waits are booked as the clause's. `mayAwait`: whether it may wait for the moment. */
export const attributeToClause = <T>(
  clause: string,
  work: () => Promise<T>,
  mayAwait: (moment: Moment) => boolean = () => true,
): Promise<T> => storage.run({ clause, askedBy: new Set(), waits: new Set(), mayAwait }, work);

/** The clause whose check runs; within a step, the one that asked for it first. undefined outside of checks. */
export const currentClause = (): string | undefined => storage.getStore()?.clause;

/** A step that was begun, as the caller. */
export interface BegunStep<T> {
  readonly caller: Caller;
  readonly result: Promise<T>;
}

/** Begins a step for the current caller. */
export function beginStep<T>(work: () => Promise<T>): BegunStep<T> {
  const caller: Caller = { clause: currentClause(), askedBy: new Set(), waits: new Set() };
  joinStep(caller);
  const result = storage.run(caller, work);
  // Whoever awaits the step gets its failure; a failure that nobody awaits must not end the process.
  result.catch(() => {});
  return { caller, result };
}

/** Notes that the current caller needs the result of a step. Throws as `noteWait` does. */
export function joinStep(step: Caller): void {
  const asker = storage.getStore();
  if (asker !== undefined) {
    step.askedBy.add(asker);
    for (const wait of step.waits) {
      noteWait(asker, wait);
    }
  }
}

/**
 * Notes that a caller, and all who asked for it, wait for a moment. Throws where one of them is a check that may not: the
 * moment waits for its end, so neither would ever come.
 */
function noteWait(caller: Caller, wait: Wait): void {
  if (wait.isOver || caller.waits.has(wait)) {
    return;
  }
  if (caller.mayAwait?.(wait.moment) === false) {
    throw new Error(
      `Cannot wait for ${wait.moment}: ${caller.clause} is not listed with atMoment('${wait.moment}', …)`,
    );
  }
  caller.waits.add(wait);
  for (const asker of caller.askedBy) {
    noteWait(asker, wait);
  }
}

interface Moments {
  /** Resolves at the moment. Throws where a check waits for it that does not say so (`atMoment`). */
  until(moment: Moment): Promise<void>;
  /** Lets the moment come. */
  reach(moment: Moment): void;
}

export function createMoments(): Moments {
  const open = (moment: Moment) => ({ wait: { moment, isOver: false }, ...Promise.withResolvers<void>() });
  const moments = { quiet: open('quiet'), badKeys: open('badKeys') };
  return {
    async until(moment) {
      const [{ wait, promise }, caller] = [moments[moment], storage.getStore()];
      if (caller !== undefined) {
        noteWait(caller, wait);
      }
      return promise;
    },
    reach(moment) {
      moments[moment].wait.isOver = true;
      moments[moment].resolve();
    },
  };
}
