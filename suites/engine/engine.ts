import { clauseOf } from '../../contract/clauses.ts';
import type { Outcome } from '../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../results/stop.ts';
import type { ClauseResult, Finding, Verdict } from '../../results/verdict.ts';
import type { Session } from '../session/session.ts';

/** Judges one clause. Throws Inconclusive or Skipped where it cannot; anything else it throws is a defect of the suite. */
export type Check<S extends Session = Session> = (session: S) => Promise<Outcome>;

/** Checks by clause id. */
export type Checks<S extends Session = Session> = Readonly<Record<string, Check<S>>>;

/** All checks of one API, and what the engine must know of them. */
export interface Suite<S extends Session = Session> {
  readonly checks: Checks<S>;
  /** Clauses that need a deployment nobody else is calling: the others do not wait for them. */
  readonly quiet: (id: string) => boolean;
  /**
   * Why no pass of this run can be trusted: the deployment answers good and bad calls alike. null: it does not.
   */
  readonly distrust: (session: S) => Promise<Finding | null>;
}

/** Called with each result as soon as it stands. */
export type OnResult = (result: ClauseResult) => void;

/** The part of a session that the engine drives. */
export interface Progress {
  /** Resolves the session's `others`. */
  othersDone(): void;
}

const passes: Record<string, Verdict> = { must: 'pass', should: 'pass', gap: 'observed' };
const failures: Record<string, Verdict> = { must: 'fail', should: 'warn', gap: 'inconclusive' };

/** A clause's row with a verdict that no check had a say in. */
export function resultOf(
  id: string,
  verdict: Verdict,
  findings: readonly Finding[],
  observed: unknown = null,
): ClauseResult {
  const { level, title, source } = clauseOf(id);
  return { id: clauseOf(id).id, level, title, source, verdict, findings, observed: observed ?? null };
}

/**
 * Runs the checks of the clauses named, all at once as far as they allow: first those that make calls, then, over the
 * evidence of the whole run, those that judge every response. A result for each id, in the order given.
 */
export async function runClauses<S extends Session>(
  suite: Suite<S>,
  session: S & Progress,
  ids: readonly string[],
  onResult: OnResult = () => {},
): Promise<ClauseResult[]> {
  const results = new Map<string, ClauseResult>();
  const run = async (id: string): Promise<void> => {
    results.set(id, await judge(suite.checks[id], session, id));
  };
  const onEvidence = (id: string): boolean => clauseOf(id).everyResponse;
  const calling = ids.filter((id) => !onEvidence(id));
  const quiet = calling.filter(suite.quiet).map(run);
  await Promise.all(calling.filter((id) => !suite.quiet(id)).map(run));
  session.othersDone();
  await Promise.all(quiet);
  const distrust = ids.length > 0 ? await suspicion(suite, session) : null;
  await Promise.all(ids.filter(onEvidence).map(run));
  return ids.map((id) => {
    const result = results.get(id) ?? resultOf(id, 'broken', [{ message: 'The engine has no result for this clause' }]);
    const final =
      distrust && result.verdict === 'pass'
        ? { ...result, verdict: 'inconclusive' as const, findings: [distrust] }
        : result;
    onResult(final);
    return final;
  });
}

async function suspicion<S extends Session>(suite: Suite<S>, session: S): Promise<Finding | null> {
  try {
    return await suite.distrust(session);
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof Skipped) {
      return { message: `Passes cannot be trusted: ${error.message}` };
    }
    throw error;
  }
}

async function judge<S extends Session>(check: Check<S> | undefined, session: S, id: string): Promise<ClauseResult> {
  if (!check) {
    return resultOf(id, 'broken', [{ message: 'The suite has no check for this clause' }]);
  }
  try {
    return verdictOf(id, await check(session));
  } catch (error) {
    if (error instanceof Inconclusive) {
      return resultOf(id, 'inconclusive', error.findings);
    }
    if (error instanceof Skipped) {
      return resultOf(id, 'skip', [error.finding]);
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return resultOf(id, 'broken', [
      { message: `The check itself broke: ${session.redactor.clean(text).slice(0, 2000)}` },
    ]);
  }
}

/** Any failure fails; nothing compared decides nothing; parts left open beside parts that hold do not hide them. */
function verdictOf(id: string, outcome: Outcome): ClauseResult {
  const { level } = clauseOf(id);
  const { failures: failed, undecided, notTried = [], compared, observed } = outcome;
  if (failed.length > 0) {
    return resultOf(id, failures[level] ?? 'broken', failed, observed);
  }
  const seen = observed !== undefined && observed !== null;
  const decided = level === 'gap' ? seen : compared > 0;
  if (decided) {
    return resultOf(id, passes[level] ?? 'broken', [], seen ? observed : openParts([...undecided, ...notTried]));
  }
  if (undecided.length > 0) {
    return resultOf(id, 'inconclusive', [...undecided, ...notTried], observed);
  }
  if (notTried.length > 0) {
    return resultOf(id, 'skip', notTried);
  }
  return level === 'gap'
    ? resultOf(id, 'inconclusive', [{ message: 'Nothing was seen that answers the question' }])
    : resultOf(id, 'broken', [{ message: 'The check compared nothing' }]);
}

const openParts = (undecided: readonly Finding[]): unknown =>
  undecided.length === 0 ? null : { undecided: undecided.map(({ message }) => message) };
