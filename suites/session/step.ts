import { askFor, attributeToStep, type Begun } from './attribution.ts';
import type { Session } from './session.ts';

/**
 * A step that several clauses need, such as seeding the sandbox: made once a run, whoever asks first. A failure is shared
 * too, so that every clause that needs the step learns the same cause.
 */
export const step = <T>(make: (session: Session) => Promise<T>): KeyedStep<[], T> => stepFor(() => '', make);

/** A step with parameters. */
interface KeyedStep<A extends readonly unknown[], T> {
  (session: Session, ...args: A): Promise<T>;
  /** The results of all its calls so far. */
  begun(session: Session): Promise<T>[];
}

/** A step with parameters. `sameness` gives the text by which two calls are the same step. */
export function stepFor<A extends readonly unknown[], T>(
  sameness: (...args: A) => string,
  make: (session: Session, ...args: A) => Promise<T>,
): KeyedStep<A, T> {
  const run = (session: Session, ...args: A): Promise<T> => {
    const made = madeBy<T>(session, make);
    const known = made.get(sameness(...args));
    if (known !== undefined) {
      askFor(known.caller);
      return known.result;
    }
    const begun = attributeToStep(() => make(session, ...args));
    // Whoever awaits it meets the failure; nobody may ever do so.
    begun.result.catch(() => {});
    made.set(sameness(...args), begun);
    return begun.result;
  };
  return Object.assign(run, {
    begun: (session: Session) => [...madeBy<T>(session, make).values()].map(({ result }) => result),
  });
}

/** What a step has made in this session so far. The session cannot know the types of all steps: each reads its own alone. */
function madeBy<T>({ steps }: Session, make: unknown): Map<string, Begun<T>> {
  const made = steps.get(make) ?? new Map<string, Begun<unknown>>();
  steps.set(make, made);
  return made as Map<string, Begun<T>>;
}
