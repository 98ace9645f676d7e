import type { ClauseResult, ReceivedDelivery } from '../../results/verdict.ts';
import type { OnResult, Suite } from '../engine/engine.ts';
import { runClauses } from '../engine/engine.ts';
import type { OpenSession, SessionParts } from '../session/open-session.ts';

/** A suite with its session opened: what the front does with it, whatever API it is of. */
export interface Opened {
  readonly session: OpenSession;
  run(ids: readonly string[], onResult: OnResult): Promise<ClauseResult[]>;
  /** The webhook deliveries that have come so far. */
  deliveries(): readonly ReceivedDelivery[];
  /** Deletes what the run made. */
  close(): Promise<void>;
}

/** What every suite's session is opened with; the suite itself knows its API and its limits. */
export type RunnerParts = Omit<SessionParts, 'api' | 'limitOf'>;

/** Opens the suite of one API for a run. */
export type Runner = (parts: RunnerParts) => Promise<Opened>;

/** The runner of a suite, its own kind of session kept inside. */
export function runnerOf<S extends OpenSession>(
  suite: Suite<S>,
  open: (parts: RunnerParts) => S | Promise<S>,
  close: (session: S) => Promise<unknown>,
  received: (session: S) => readonly ReceivedDelivery[] = () => [],
): Runner {
  return async (parts) => {
    const session = await open(parts);
    return {
      session,
      run: (ids, onResult) => runClauses(suite, session, ids, onResult),
      deliveries: () => received(session),
      close: async () => {
        await close(session);
      },
    };
  };
}
