import { stackOf } from '../../common/cannot-run.ts';
import { isObject } from '../../common/json.ts';
import { clauseOf } from '../../contract/clauses.ts';
import { createTally, Inconclusive, type Outcome, Skipped } from '../../results/outcome.ts';
import { joinAlike } from '../../results/root-causes.ts';
import { type ClauseResult, type Finding, resultOf, type Verdict } from '../../results/verdict.ts';
import { attributeToClause, type Moment } from '../session/attribution.ts';
import type { Session } from '../session/session.ts';
import { type Check, isUndecided, type Suite } from './check.ts';

/** Called with each result as soon as it is final. */
export type OnResult = (result: ClauseResult) => void;

const verdictIfKept: Record<string, Verdict> = { must: 'pass', should: 'pass', gap: 'observed' };
const verdictIfBroken: Record<string, Verdict> = { must: 'fail', should: 'warn', gap: 'inconclusive' };

/**
 * Runs the checks of the session's clauses: first the one that tells whether passes can be trusted; then all others at
 * once, except that a check listed with a moment waits for it; and last those that judge every response of the run. A
 * result is final when its check ends, and is passed to `onResult`. Returns one result for each clause, in the
 * session's order.
 */
export async function runClauses(
  suite: Suite,
  session: Session,
  onResult: OnResult = () => {},
): Promise<ClauseResult[]> {
  const clauses = [...session.clauses];
  const distrust = await suite.distrust(session).catch((error: unknown): Finding => {
    if (isUndecided(error)) {
      return { message: `Passes cannot be trusted: ${error.message}` };
    }
    throw error;
  });
  const results = new Map<string, ClauseResult>();
  const run = async (id: string): Promise<void> => {
    const began = session.clock.now();
    const check = suite.checks[id];
    const last = check?.moment && suite.moments.indexOf(check.moment);
    // A moment that comes no later than the one for which the check waits.
    const mayAwait = (moment: Moment): boolean => last !== undefined && suite.moments.indexOf(moment) <= last;
    const judged = await attributeToClause(id, () => judgeClause(check, session, id), mayAwait);
    const isTrusted = distrust === null || judged.verdict !== 'pass';
    const told: ClauseResult = isTrusted ? judged : { ...judged, verdict: 'inconclusive', findings: [distrust] };
    const result = { ...told, durationMs: session.clock.now() - began };
    results.set(id, result);
    onResult(result);
  };
  const judgesEvidence = (id: string): boolean => clauseOf(id).everyResponse;
  const calling = clauses.filter((id) => !judgesEvidence(id));
  // Checks that wait for nothing begin first, so that MAX_REQUESTS leaves them their requests.
  const runAt = (moment: Moment | undefined) => calling.filter((id) => suite.checks[id]?.moment === moment).map(run);
  const ungated = runAt(undefined);
  const gated = suite.moments.map((moment) => ({ moment, ended: runAt(moment) }));
  await Promise.all(ungated);
  for (const { moment, ended } of gated) {
    session.reach(moment);
    await Promise.all(ended);
  }
  await Promise.all(clauses.filter(judgesEvidence).map(run));
  return clauses.flatMap((id) => results.get(id) ?? []);
}

/** Judges one clause. Gives a result whatever the check throws; what leaves a part open hides no failure. */
export async function judgeClause(check: Check | undefined, session: Session, id: string): Promise<ClauseResult> {
  if (check === undefined) {
    return resultOf(id, 'broken', [{ message: 'The suite has no check for this clause' }]);
  }
  const tally = createTally();
  try {
    return verdictOf(id, tally.outcome(await check(session, tally)));
  } catch (error) {
    if (isUndecided(error) && tally.outcome().failures.length > 0) {
      await tally.part(() => Promise.reject(error));
      return verdictOf(id, tally.outcome());
    }
    if (error instanceof Inconclusive) {
      return resultOf(id, 'inconclusive', error.findings);
    }
    if (error instanceof Skipped) {
      return resultOf(id, 'skip', [error.finding]);
    }
    const text = stackOf(error);
    const message = `The check itself broke: ${session.redactor.clean(text).slice(0, 2000)}`;
    return resultOf(id, 'broken', [{ message }]);
  }
}

/** How many parts may stay open for each that was compared. */
const mostOpenPerCompared = 9;

/**
 * One failure fails the clause. Without a comparison, or with few beside many open parts, it stays open: what holds for
 * one of 28 endpoints says little of every endpoint. Otherwise open parts do not hide those that hold.
 */
function verdictOf(id: string, { failures, undecided, notTried = [], compared, observed }: Outcome): ClauseResult {
  const { level } = clauseOf(id);
  const open = [...undecided, ...notTried];
  if (failures.length > 0) {
    return resultOf(id, verdictIfBroken[level] ?? 'broken', joinAlike(failures), withOpenParts(observed, open));
  }
  const isEnough = compared > 0 && compared * mostOpenPerCompared >= undecided.length;
  const isDecided = level === 'gap' ? observed !== undefined && observed !== null : isEnough;
  if (isDecided) {
    const shown = level === 'gap' ? observed : withOpenParts(observed, open);
    return resultOf(id, verdictIfKept[level] ?? 'broken', [], shown);
  }
  if (undecided.length > 0) {
    return resultOf(id, 'inconclusive', open, observed);
  }
  if (notTried.length > 0) {
    return resultOf(id, 'skip', notTried);
  }
  return level === 'gap'
    ? resultOf(id, 'inconclusive', [{ message: 'No call showed what this deployment does' }])
    : resultOf(id, 'broken', [{ message: 'The check compared nothing' }]);
}

/** What was observed, with the messages of the parts that were left open. */
const withOpenParts = (observed: unknown, open: readonly Finding[]): unknown =>
  open.length === 0
    ? (observed ?? null)
    : { ...(isObject(observed) ? observed : {}), undecided: open.map(({ message }) => message) };
