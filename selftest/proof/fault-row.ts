import type { Fault } from '../../fixtures/reference/variation.ts';
import type { ClauseResult, Verdict } from '../../results/verdict.ts';
import { dayResult, dayTypes, perDayClause } from './day-in-process.ts';
import { runInProcess } from './run-in-process.ts';

/** The parts of a fault that say what it must do to a run. */
export type Promised = Omit<Fault<never>, 'apply'>;

/** What one fault did to each clause of its API: a row of the matrix. */
export interface FaultRow extends Pick<Promised, 'id' | 'api' | 'says' | 'bites'> {
  /** Clauses that had to turn red, and did. */
  readonly reds: readonly string[];
  /** Clauses that turned red as the fault allows. */
  readonly also: readonly string[];
  /** Clauses that could not be decided any more. */
  readonly open: readonly string[];
  /** Clauses that had to turn red, and did not. */
  readonly missed: readonly string[];
  /** Clauses that turned red without being named, and those left open without naming a clause that is to blame. */
  readonly extra: readonly string[];
}

const red: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'broken']);
const undecided: ReadonlySet<Verdict> = new Set(['inconclusive', 'skip']);

/** Whether a fault can only be met with an enterprise key. */
export const needsEnterprise = ({ id, bites }: Pick<Promised, 'id' | 'bites'>): boolean =>
  /enterprise/i.test(`${id} ${bites}`);

/**
 * Runs the suite against the fault and holds what came against what the fault promises. `usual`: the verdicts of the plain
 * reference; what is undecided there is not the fault's doing.
 */
export async function faultRow(fault: Promised, usual: ReadonlyMap<string, Verdict>): Promise<FaultRow> {
  const { results } = await runInProcess({ api: fault.api, faults: [fault.id], enterprise: needsEnterprise(fault) });
  const perDay = fault.reds.includes(perDayClause(fault.api))
    ? await dayResult(fault.api, dayTypes(fault.api, fault.bites), [fault.id])
    : null;
  return rowOf(
    fault,
    perDay ? results.map((result) => (result.id === perDayClause(fault.api) ? perDay : result)) : results,
    usual,
  );
}

/** Holds the results of a run against a fault's promise. */
export function rowOf(
  fault: Promised,
  results: readonly ClauseResult[],
  usual: ReadonlyMap<string, Verdict>,
): FaultRow {
  const { id, api, says, bites } = fault;
  const named = new Set([...fault.reds, ...fault.may]);
  const ids = (of: (result: ClauseResult) => boolean): string[] => results.filter(of).map((result) => result.id);
  const isOpen = (result: ClauseResult): boolean =>
    undecided.has(result.verdict) && !undecided.has(usual.get(result.id) ?? 'skip');
  const reds = ids(
    ({ id: clause, verdict }) => red.has(verdict) && verdict !== 'broken' && fault.reds.includes(clause),
  );
  return {
    id,
    api,
    says,
    bites,
    reds,
    also: ids(
      ({ id: clause, verdict }) =>
        red.has(verdict) && verdict !== 'broken' && fault.may.includes(clause) && !fault.reds.includes(clause),
    ),
    open: ids(isOpen),
    missed: fault.reds.filter((clause) => !reds.includes(clause)),
    extra: ids(
      (result) =>
        (red.has(result.verdict) && (result.verdict === 'broken' || !named.has(result.id))) ||
        (isOpen(result) && !named.has(result.id) && !blames(result, named)),
    ),
  };
}

/**
 * Whether an undecided clause says which clause is to blame, and that is one of those named. Arranging is not judging: a
 * fault may keep others from being decided, if the reader learns why. A cause may be two steps away: a key that cannot be
 * made for a module blames creation, which blames the names.
 */
function blames({ findings }: ClauseResult, named: ReadonlySet<string>): boolean {
  return findings.some(({ blames: clause }) => clause !== undefined && named.has(clause));
}
