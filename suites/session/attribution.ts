import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs the check of a clause: calls that it makes are recorded as the clause's. */
export const attributeTo = <T>(clause: string, work: () => Promise<T>): Promise<T> => storage.run(clause, work);

/** The clause whose check is being run; undefined outside of checks. A step that several share is the first one's. */
export const currentClause = (): string | undefined => storage.getStore();
