import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The moments of a run that checks may wait for. `quiet`: no other check sends calls. `badKeys`: a lockout can harm no
 * other clause, so that calls with a bad key, or without one, may be made.
 */
export type Moment = 'quiet' | 'badKeys';

/** A moment that has come, or is waited for. */
interface Wait {
  readonly moment: Moment;
  readonly isOver: boolean;
}

/** On whose behalf calls are made: the check of a clause, or a step that several checks ask for. */
export interface Caller {
  /** The clause whose check runs, or whose check asked first for the step; undefined outside of checks. */
  readonly clause: string | undefined;
  /** The callers that asked for the step. */
  readonly askedBy: Set<Caller>;
  /** Whether the check may wait for the moment; absent: no check, or one that may. */
  readonly mayAwait?: ((moment: Moment) => boolean) | undefined;
  /** What it waits for, itself or in a step that it asked for. */
  waits?: Set<Wait>;
}

const storage = new AsyncLocalStorage<Caller>();

/**
 * Runs the check of a clause: the calls that `work` makes are recorded as the clause's. `mayAwait`: whether it may wait
 * for the moment.
 */
export const attributeToClause = <T>(
  clause: string,
  work: () => Promise<T>,
  mayAwait?: (moment: Moment) => boolean,
): Promise<T> => storage.run({ clause, askedBy: new Set(), mayAwait }, work);

/** A step that was begun. Its calls are recorded as the caller's. */
export interface BegunStep<T> {
  readonly caller: Caller;
  readonly result: Promise<T>;
}

/** Begins a step for the current caller; whoever needs its result later calls `joinStep`. */
export function beginStep<T>(work: () => Promise<T>): BegunStep<T> {
  const caller: Caller = { clause: currentClause(), askedBy: new Set() };
  joinStep(caller);
  return { caller, result: storage.run(caller, work) };
}

/** Notes that the current caller needs the result of a step, too. Throws as `noteWait` does. */
export function joinStep(step: Caller): void {
  const asker = storage.getStore();
  if (asker !== undefined) {
    step.askedBy.add(asker);
    for (const wait of step.waits ?? []) {
      addWait(asker, wait);
    }
  }
}

/**
 * Notes that the current caller, and all who asked for it, wait for a moment. Throws where one of them is a check that
 * may not: the moment waits for its end, so neither would ever come.
 */
export function noteWait(wait: Wait): void {
  const caller = storage.getStore();
  if (caller !== undefined) {
    addWait(caller, wait);
  }
}

function addWait(caller: Caller, wait: Wait): void {
  if (wait.isOver || caller.waits?.has(wait)) {
    return;
  }
  if (caller.mayAwait?.(wait.moment) === false) {
    throw new Error(
      `Cannot wait for ${wait.moment}: ${caller.clause} is not listed with atMoment('${wait.moment}', …)`,
    );
  }
  caller.waits ??= new Set();
  caller.waits.add(wait);
  for (const asker of caller.askedBy) {
    addWait(asker, wait);
  }
}

export const currentCaller = (): Caller | undefined => storage.getStore();

/** The clause whose check runs; within a step, the one that asked for it first. undefined outside of checks. */
export const currentClause = (): string | undefined => storage.getStore()?.clause;

/** The clauses that a caller's calls have served so far; the first is the one that asked first. */
export function clausesServed(caller: Caller | undefined): string[] {
  const seen = new Set<Caller>();
  const queue = caller === undefined ? [] : [caller];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (!seen.has(next)) {
      seen.add(next);
      queue.push(...next.askedBy);
    }
  }
  return [...new Set([...seen].flatMap(({ clause }) => clause ?? []))];
}
