import type { Clock } from '../../common/clock.ts';
import type { Redactor } from '../../common/redact.ts';
import type { Api } from '../../contract/clause.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Client } from './client.ts';
import type { Evidence } from './evidence.ts';
import type { Ledger } from './ledger.ts';

/** Everything that a run with one API knows. There is no other state. */
export interface Session {
  readonly api: Api;
  readonly origin: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly client: Client;
  readonly evidence: Evidence;
  readonly ledger: Ledger;
  readonly redactor: Redactor;
  /** Seed of the generated bodies. */
  readonly seed: number;
  /** The user's own request bodies by documented call (setting BODIES). */
  readonly userBodies: Readonly<Record<string, unknown>>;
  /** Stands in whatever the run creates: tells it from everything else. */
  readonly tag: string;
  /**
   * The result of a step that several clauses need: made once, whoever asks first. A failure is shared too, so every
   * clause that needs the step learns the same cause.
   */
  once<T>(step: string, make: () => Promise<T>): Promise<T>;
  /** Resolves when the clauses that may run at any time are done: what needs a quiet deployment waits for it. */
  readonly others: Promise<void>;
  /** Lines for the report on what the run could not put back. */
  readonly notes: string[];
}

/** The `once` of a session. */
export function createShelf(): Session['once'] {
  const shelf = new Map<string, Promise<unknown>>();
  return <T>(step: string, make: () => Promise<T>): Promise<T> => {
    const known = shelf.get(step);
    if (known) {
      return known as Promise<T>;
    }
    const made = make();
    // Whoever awaits it meets the failure; nobody may ever do so.
    made.catch(() => {});
    shelf.set(step, made);
    return made;
  };
}
