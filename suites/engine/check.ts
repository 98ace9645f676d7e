import { Inconclusive, Skipped, type Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Api } from '../session/api.ts';
import type { Moment } from '../session/attribution.ts';
import type { Session } from '../session/session.ts';

/**
 * Judges one clause: tallies its comparisons, and returns what it observed, if anything. Throws Inconclusive or Skipped
 * where it cannot; any other error is a defect of the suite.
 */
export interface Check {
  (session: Session, tally: Tally): Promise<unknown>;
  /** The latest moment of the run that it awaits (`session.until`). The check itself starts with all others. */
  readonly moment?: Moment;
}

/** A check that waits for a moment of the run. It may wait for earlier ones, too. */
export const atMoment = (moment: Moment, check: Check): Check =>
  Object.assign((session: Session, tally: Tally) => check(session, tally), { moment });

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

/** Waits for steps whose success other clauses judge. Throws only what is a defect of the suite. */
export async function settle(...steps: readonly Promise<unknown>[]): Promise<void> {
  await Promise.all(steps.map(resultOrNull));
}

/** The result of a step; null where it is undecided or was not tried. Throws only what is a defect of the suite. */
export const resultOrNull = <T>(step: Promise<T>): Promise<T | null> => step.catch(nullIfUndecided);

/** Whether an error says that a clause was not tried or cannot be decided. Any other error is a defect of the suite. */
export const isUndecided = (error: unknown): error is Inconclusive | Skipped =>
  error instanceof Inconclusive || error instanceof Skipped;

function nullIfUndecided(error: unknown): null {
  if (isUndecided(error)) {
    return null;
  }
  throw error;
}

/** What a stage of a story gave. Throws what left the stage undecided. */
export type Stage<T> = () => T;

/** Carries out a stage. What leaves it undecided is thrown when its result is asked for. */
export async function runStage<T>(stage: () => Promise<T>): Promise<Stage<T>> {
  try {
    const result = await stage();
    return () => result;
  } catch (error) {
    nullIfUndecided(error);
    return () => {
      throw error;
    };
  }
}

/** The result of a stage; null where it is undecided or was not tried. */
export function stageOrNull<T>(stage: Stage<T>): T | null {
  try {
    return stage();
  } catch (error) {
    return nullIfUndecided(error);
  }
}
