import { type BegunStep, beginStep, joinStep } from './attribution.ts';
import type { Session } from './session.ts';

/**
 * A step that several clauses need, such as seeding the sandbox. It is made once a run, when the first of them asks for
 * it. Its failure is shared too, so that all of them report the same cause.
 */
export const step = <T>(make: (session: Session) => Promise<T>): KeyedStep<[], T> => stepFor(() => '', make);

interface KeyedStep<A extends readonly unknown[], T> {
  (session: Session, ...args: A): Promise<T>;
  /** The results of all steps that were begun so far, whatever their parameters. */
  begun(session: Session): Promise<T>[];
}

/** A step with parameters: calls for which `keyOf` gives the same text share one step. */
export function stepFor<A extends readonly unknown[], T>(
  keyOf: (...args: A) => string,
  make: (session: Session, ...args: A) => Promise<T>,
): KeyedStep<A, T> {
  const run = (session: Session, ...args: A): Promise<T> => {
    const steps = begunWith<T>(session, make);
    const known = steps.get(keyOf(...args));
    if (known !== undefined) {
      joinStep(known.caller);
      return known.result;
    }
    const begun = beginStep(() => make(session, ...args));
    // Whoever awaits the step gets its failure; a failure that nobody awaits must not end the process.
    begun.result.catch(() => {});
    steps.set(keyOf(...args), begun);
    return begun.result;
  };
  return Object.assign(run, {
    begun: (session: Session) => [...begunWith<T>(session, make).values()].map(({ result }) => result),
  });
}

/** The steps that `make` has begun in this session. Only `make` puts steps there, so they have its type. */
function begunWith<T>({ steps }: Session, make: unknown): Map<string, BegunStep<T>> {
  const begun = steps.get(make) ?? new Map<string, BegunStep<unknown>>();
  steps.set(make, begun);
  return begun as Map<string, BegunStep<T>>;
}
