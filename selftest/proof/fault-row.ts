import type { ApiName } from '../../contract/clause.ts';
import type { Fault } from '../../fixtures/reference/variation.ts';
import type { ClauseResult, Verdict } from '../../results/verdict.ts';
import { allowedBy, type Deployment } from './choice-row.ts';
import { dayResult, perDayClause } from './day-in-process.ts';
import { runInProcess } from './run-in-process.ts';

/** The effects that a fault declares. */
export type Promised = Omit<Fault<never>, 'change'>;

/** The effect of one fault on each clause of its API. */
export interface FaultRow {
  readonly id: string;
  readonly api: ApiName;
  /** The choices of the deployment with the fault; the plain reference if not given. */
  readonly deployment?: string;
  /** Clauses that must fail, and do. */
  readonly fails: readonly string[];
  /** Clauses that also fail, as the fault allows. */
  readonly also: readonly string[];
  /** Clauses that cannot be decided with the fault. */
  readonly open: readonly string[];
  /** Clauses that must fail, and do not. */
  readonly missed: readonly string[];
  /** Clauses that wrongly fail, and clauses that stay undecided without naming a broken clause as the reason. */
  readonly extra: readonly string[];
  /** What the run created and could not delete, each kind once. */
  readonly left: readonly string[];
  /** Changes of records that the run had not created. */
  readonly harm: readonly string[];
}

const red: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'broken']);
const undecided: ReadonlySet<Verdict> = new Set(['inconclusive', 'skip']);

/** Whether only an enterprise key can show the fault. */
export const needsEnterprise = ({ keyTypes = [] }: Pick<Promised, 'keyTypes'>): boolean =>
  keyTypes.includes('enterprise');

/** Whether a fault had its declared effects and no others. */
export const isCaught = ({ missed, extra, harm }: FaultRow): boolean =>
  missed.length + extra.length + harm.length === 0;

/** Runs the suite against the fault, and compares the results with its declared effects. */
export async function faultRow(fault: Promised): Promise<FaultRow> {
  const { api, id, fails, keyTypes = ['live'] } = fault;
  const { results, left, harm } = await runInProcess({ api, faults: [id], enterprise: needsEnterprise(fault) });
  const perDay = fails.includes(perDayClause(api)) ? await dayResult(api, keyTypes, [id]) : null;
  const judged = results.map((result) => (perDay !== null && result.id === perDayClause(api) ? perDay : result));
  return { ...rowOf(fault, judged), left: kindsLeft(left), harm };
}

/**
 * Like `faultRow`, for a deployment that has several faults at once. Where they do not have all of their effects and no
 * others, each half of them is tried by itself, and in the end each of them alone: one may hide another.
 */
export async function rowsOfTogether(together: readonly Promised[]): Promise<readonly FaultRow[]> {
  const [first, ...others] = together;
  if (first === undefined) {
    return [];
  }
  if (others.length === 0) {
    return [await faultRow(first)];
  }
  const { api } = first;
  const run = await runInProcess({ api, faults: together.map(({ id }) => id) }).catch(() => null);
  const rows = together.map(
    (fault): FaultRow => ({ ...rowOf(fault, run?.results ?? [], { together }), left: [], harm: run?.harm ?? [] }),
  );
  if (rows.every(isCaught)) {
    return rows;
  }
  const half = Math.ceil(together.length / 2);
  return [...(await rowsOfTogether(together.slice(0, half))), ...(await rowsOfTogether(together.slice(half)))];
}

/**
 * Like `faultRow`, for a deployment with other choices. Clauses that these leave undecided may stay so. A fault that
 * cannot show there is not missed: either the choices hide it, so that all answers are the same as without it, or it is
 * written for answers of another shape, and the deployment breaks.
 */
export async function crossedRow(fault: Promised, { api, name, chosen }: Deployment): Promise<FaultRow> {
  const run = await runInProcess({ api, faults: [fault.id], choices: chosen }).catch(() => null);
  if (run === null || run.results.some(isOfFaults)) {
    return { ...rowOf(fault, []), deployment: name, missed: [], left: [], harm: [] };
  }
  const row = rowOf(fault, run.results, { allowed: allowedBy(chosen) });
  const isHidden = row.missed.length > 0 && run.wire === (await runInProcess({ api, choices: chosen })).wire;
  return { ...row, deployment: name, missed: isHidden ? [] : row.missed, left: kindsLeft(run.left), harm: run.harm };
}

/** Whether a check broke in the code of a fault. */
const isOfFaults = ({ verdict, findings }: ClauseResult): boolean =>
  verdict === 'broken' && findings.some(({ message }) => message.includes('fixtures/reference/faults/'));

/** What else a deployment with a fault may show. */
interface Besides {
  /** Clauses that may stay undecided anyway. */
  readonly allowed?: ReadonlySet<string>;
  /** All faults that it has. */
  readonly together?: readonly Promised[];
}

/** Compares the results of a run with a fault's declared effects. */
function rowOf(
  fault: Promised,
  results: readonly ClauseResult[],
  { allowed = new Set(), together = [fault] }: Besides = {},
): Omit<FaultRow, 'left' | 'harm'> {
  const named = new Set(together.flatMap(({ fails, mayFail }) => [...fails, ...mayFail]));
  const ids = (of: (result: ClauseResult) => boolean): string[] => results.filter(of).map(({ id }) => id);
  const failed = ({ verdict }: ClauseResult): boolean => verdict === 'fail' || verdict === 'warn';
  // The plain reference leaves only that one undecided, which choice-row.ts checks.
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
 * Whether an undecided clause names a broken clause as the reason. A fault may break the preparations of other clauses,
 * if the reader learns why. The reason may be two steps away: a key that cannot be created for a module names the
 * clause of creation, which names that of scope names.
 */
function blames({ findings }: ClauseResult, named: ReadonlySet<string>): boolean {
  return findings.some(({ blames: clause }) => clause !== undefined && named.has(clause));
}

/** The kinds of records that are left: their descriptions without the words and ids of single records. */
export const kindsLeft = (left: readonly string[]): string[] => [
  ...new Set(
    left.map((line) =>
      line
        .replace(/ proof7.*/, '')
        .replace(/^(\/v1\/webhooks) [^\s:]+/, '$1')
        .replace(/_[A-Za-z0-9]{12,}/g, '_…'),
    ),
  ),
];
