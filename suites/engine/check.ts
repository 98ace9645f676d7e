import type { Outcome } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Api } from '../session/api.ts';
import type { Moment, Session } from '../session/session.ts';

/** Judges one clause. Throws Inconclusive or Skipped where it cannot; any other error is a defect of the suite. */
export type Check = (session: Session) => Promise<Outcome>;

/** Checks by clause id. */
export type Checks = Readonly<Record<string, Check>>;

/** Clauses whose checks wait for a moment of the run. They begin with all others, and await it where they need it. */
interface Stage {
  readonly moment: Moment;
  readonly has: (clause: string) => boolean;
}

/** All checks of one API. */
export interface Suite {
  readonly api: Api<Session>;
  readonly checks: Checks;
  /** In order: the moment of a stage comes when all earlier clauses are decided. No clause is in two stages. */
  readonly stages: readonly Stage[];
  /** Why no pass of this run can be trusted: the deployment answers good and bad calls alike. null: they can be. */
  readonly distrust: (session: Session) => Promise<Finding | null>;
}
