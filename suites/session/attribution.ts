import { AsyncLocalStorage } from 'node:async_hooks';

/** On whose behalf calls are made: the check of a clause, or a step, which serves all who ask for it. */
export interface Caller {
  /** The clause whose check is run; of a step, whose check asked first. undefined outside of checks. */
  readonly clause: string | undefined;
  readonly askers: Set<Caller>;
}

const storage = new AsyncLocalStorage<Caller>();

/** Runs the check of a clause: calls that it makes are recorded as the clause's. */
export const attributeTo = <T>(clause: string, work: () => Promise<T>): Promise<T> =>
  storage.run({ clause, askers: new Set() }, work);

/** A step that was begun: what comes of it, and on whose behalf its calls are made. */
export interface Begun<T> {
  readonly caller: Caller;
  readonly result: Promise<T>;
}

/** Begins a step; whoever asks for it later is to say so with `askFor`. */
export function attributeToStep<T>(work: () => Promise<T>): Begun<T> {
  const caller: Caller = { clause: currentClause(), askers: new Set() };
  askFor(caller);
  return { caller, result: storage.run(caller, work) };
}

/** Whoever is being run wants what the caller's calls bring, too. */
export function askFor(caller: Caller): void {
  const asker = storage.getStore();
  if (asker !== undefined) {
    caller.askers.add(asker);
  }
}

export const currentCaller = (): Caller | undefined => storage.getStore();

/** The clause whose check is being run; undefined outside of checks. A step that several share is the first one's. */
export const currentClause = (): string | undefined => storage.getStore()?.clause;

/** The clauses that a caller's calls have served so far, whoever asked first in front. */
export function clausesServed(caller: Caller | undefined): string[] {
  const seen = new Set<Caller>();
  const queue = caller === undefined ? [] : [caller];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (!seen.has(next)) {
      seen.add(next);
      queue.push(...next.askers);
    }
  }
  return [...new Set([...seen].flatMap(({ clause }) => clause ?? []))];
}
