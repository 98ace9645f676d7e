import type { Api } from '../../contract/clause.ts';
import type { Fault } from '../../fixtures/reference/variation.ts';
import type { ClauseResult, Verdict } from '../../results/verdict.ts';
import { allowedBy, type Deployment } from './choice-row.ts';
import { dayResult, perDayClause } from './day-in-process.ts';
import { runInProcess } from './run-in-process.ts';

/** What a fault promises to do to a run. */
export type Promised = Omit<Fault<never>, 'change'>;

/** What one fault did to each clause of its API. */
export interface FaultRow {
  readonly id: string;
  readonly api: Api;
  /** The correct deployment that has the fault; the plain reference where none is named. */
  readonly among?: string;
  /** Clauses that had to fail, and did. */
  readonly fails: readonly string[];
  /** Clauses that failed besides, as the fault allows. */
  readonly also: readonly string[];
  /** Clauses that could not be decided any more. */
  readonly open: readonly string[];
  /** Clauses that had to fail, and did not. */
  readonly missed: readonly string[];
  /** Clauses that failed without being named, and those left open without naming a clause that is to blame. */
  readonly extra: readonly string[];
  /** What the run made and could not delete, each sort of it once. */
  readonly left: readonly string[];
  /** Changes to what the run had not made. */
  readonly harm: readonly string[];
}

const red: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'broken']);
const undecided: ReadonlySet<Verdict> = new Set(['inconclusive', 'skip']);

/** Whether a fault can only be met with an enterprise key. */
export const needsEnterprise = ({ keyTypes = [] }: Pick<Promised, 'keyTypes'>): boolean =>
  keyTypes.includes('enterprise');

/** Whether a fault did what it promises, and nothing else. */
export const isCaught = ({ missed, extra, harm }: FaultRow): boolean =>
  missed.length + extra.length + harm.length === 0;

/** Runs the suite against the fault and holds what came against what the fault promises. */
export async function faultRow(fault: Promised): Promise<FaultRow> {
  const { api, id, fails, keyTypes = ['live'] } = fault;
  const { results, left, harm } = await runInProcess({ api, faults: [id], enterprise: needsEnterprise(fault) });
  const perDay = fails.includes(perDayClause(api)) ? await dayResult(api, keyTypes, [id]) : null;
  const judged = results.map((result) => (perDay !== null && result.id === perDayClause(api) ? perDay : result));
  return { ...rowOf(fault, judged), left: sortsOf(left), harm };
}

/**
 * The same for a deployment that is otherwise correct. What its choices keep from being decided may stay undecided. A fault
 * that cannot show there is not missed: the choices hide it, so that nothing comes over the wire that would not come without
 * it, or it is written for answers of another shape, and the deployment breaks.
 */
export async function crossedRow(fault: Promised, { api, name, chosen }: Deployment): Promise<FaultRow> {
  const run = await runInProcess({ api, faults: [fault.id], choices: chosen }).catch(() => null);
  if (run === null || run.results.some(isOfFaults)) {
    return { ...rowOf(fault, []), among: name, missed: [], left: [], harm: [] };
  }
  const row = rowOf(fault, run.results, allowedBy(chosen));
  const isHidden = row.missed.length > 0 && run.wire === (await runInProcess({ api, choices: chosen })).wire;
  return { ...row, among: name, missed: isHidden ? [] : row.missed, left: sortsOf(run.left), harm: run.harm };
}

/** Whether a check broke within the code of a fault. */
const isOfFaults = ({ verdict, findings }: ClauseResult): boolean =>
  verdict === 'broken' && findings.some(({ message }) => message.includes('fixtures/reference/faults/'));

/** Holds the results of a run against a fault's promise. `allowed`: what may stay undecided whatever the fault. */
function rowOf(
  fault: Promised,
  results: readonly ClauseResult[],
  allowed: ReadonlySet<string> = new Set(),
): Omit<FaultRow, 'left' | 'harm'> {
  const named = new Set([...fault.fails, ...fault.mayFail]);
  const ids = (of: (result: ClauseResult) => boolean): string[] => results.filter(of).map(({ id }) => id);
  const failed = ({ verdict }: ClauseResult): boolean => verdict === 'fail' || verdict === 'warn';
  // The plain reference leaves that one alone open: choice-row.ts holds it to that.
  const isOpen = ({ id, verdict }: ClauseResult): boolean => undecided.has(verdict) && id !== perDayClause(fault.api);
  const fails = ids((result) => failed(result) && fault.fails.includes(result.id));
  const open = ids(isOpen);
  return {
    id: fault.id,
    api: fault.api,
    fails,
    also: ids((result) => failed(result) && fault.mayFail.includes(result.id)),
    open,
    missed: fault.fails.filter((clause) => !fails.includes(clause) && !(open.includes(clause) && allowed.has(clause))),
    extra: ids(
      (result) =>
        (red.has(result.verdict) && (result.verdict === 'broken' || !named.has(result.id))) ||
        (isOpen(result) && !named.has(result.id) && !allowed.has(result.id) && !blames(result, named)),
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

/** What is left, each sort of it once: without the words and ids that tell one record from another. */
export const sortsOf = (left: readonly string[]): string[] => [
  ...new Set(
    left.map((line) =>
      line
        .replace(/ proof7.*/, '')
        .replace(/^(\/v1\/webhooks) [^\s:]+/, '$1')
        .replace(/_[A-Za-z0-9]{12,}/g, '_…'),
    ),
  ),
];
