import type { Outcome } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Api } from '../session/api.ts';
import type { Session } from '../session/session.ts';

/** Judges one clause. Throws Inconclusive or Skipped where it cannot; anything else it throws is a defect of the suite. */
export type Check = (session: Session) => Promise<Outcome>;

/** Checks by clause id. */
export type Checks = Readonly<Record<string, Check>>;

/** All checks of one API. */
export interface Suite {
  readonly api: Api<Session>;
  readonly checks: Checks;
  /** Whether a clause needs a deployment that nobody else is calling: the others do not wait for it. */
  readonly needsQuiet: (clause: string) => boolean;
  /** Why no pass of this run can be trusted: the deployment answers good and bad calls alike. null: it does not. */
  readonly distrust: (session: Session) => Promise<Finding | null>;
}
