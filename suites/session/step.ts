import type { Session } from './session.ts';

/**
 * A step that several clauses need, such as seeding the sandbox. It is made once a run, when the first of them asks for
 * it. Its failure is shared too, so that all of them report the same cause.
 */
export const step = <T>(make: (session: Session) => Promise<T>): ((session: Session) => Promise<T>) =>
  stepFor(() => '', make);

/** A step with parameters: calls for which `keyOf` gives the same text share one step. */
export const stepFor =
  <A extends readonly unknown[], T>(
    keyOf: (...args: A) => string,
    make: (session: Session, ...args: A) => Promise<T>,
  ) =>
  (session: Session, ...args: A): Promise<T> => {
    const begun = session.steps.get(make) ?? new Map<string, Promise<unknown>>();
    session.steps.set(make, begun);
    // Only `make` puts steps there.
    const known = (begun.get(keyOf(...args)) as Promise<T> | undefined) ?? make(session, ...args);
    begun.set(keyOf(...args), known);
    // Whoever awaits the step gets its failure; a failure that nobody awaits must not end the process.
    known.catch(() => {});
    return known;
  };
