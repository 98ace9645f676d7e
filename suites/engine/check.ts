import type { Outcome } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Api } from '../session/api.ts';
import type { Moment } from '../session/attribution.ts';
import type { Session } from '../session/session.ts';

/** Judges one clause. Throws Inconclusive or Skipped where it cannot; any other error is a defect of the suite. */
export interface Check {
  (session: Session): Promise<Outcome>;
  /** The moment of the run for which it waits. It begins with all others, and awaits the moment where it needs it. */
  readonly moment?: Moment;
}

/** A check that waits for a moment of the run. It may wait for earlier ones, too. */
export const atMoment = (moment: Moment, check: Check): Check =>
  Object.assign((session: Session) => check(session), { moment });

/** Checks by clause id. */
export type Checks = Readonly<Record<string, Check>>;

/** All checks of one API. */
export interface Suite {
  readonly api: Api<Session>;
  readonly checks: Checks;
  /** In order. A moment comes when the clauses that wait for none, or for an earlier one, are decided. */
  readonly moments: readonly Moment[];
  /** Why no pass of this run can be trusted: the deployment answers good and bad calls alike. null: they can be. */
  readonly distrust: (session: Session) => Promise<Finding | null>;
}
