import { faults } from '../../fixtures/reference/deployment.ts';
import type { Fault } from '../../fixtures/reference/variation.ts';
import type { ClauseResult, Verdict } from '../../results/verdict.ts';
import { world } from '../world/world.ts';
import { clausesToSee } from './callers.ts';
import { allowedBy, type Deployment } from './choice-row.ts';
import { dayResult, perDayClause } from './day-in-process.ts';

/** The effects that a fault declares. */
export type Promised = Omit<Fault<never>, 'change'>;

/** What one run showed of a fault. */
export interface FaultRow {
  readonly id: string;
  /** The choices of the deployment with the fault; the plain reference if not given. */
  readonly deployment?: string;
  /** Clauses that must fail, and do. */
  readonly fails: readonly string[];
  /** Clauses that must fail in this run, and do not. */
  readonly missed: readonly string[];
  /** Clauses that wrongly fail, and clauses that stay undecided without naming a broken clause as the reason. */
  readonly extra: readonly string[];
  /** Changes of records that the run had not created. */
  readonly harm: readonly string[];
}

const red: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'broken']);
const undecided: ReadonlySet<Verdict> = new Set(['inconclusive', 'skip']);

/** The fault with this id. Throws if there is none. */
export function faultOf(wanted: string): Promised {
  const fault = faults.find(({ id }) => id === wanted);
  if (fault === undefined) {
    throw new Error(`Cannot find the fault ${wanted}`);
  }
  return fault;
}

/** Whether only an enterprise key can show the fault. */
export const needsEnterprise = ({ keyTypes = [] }: Pick<Promised, 'keyTypes'>): boolean =>
  keyTypes.includes('enterprise');

/** Whether a run had the declared effects of a fault that it can show, and no others. */
export const isCaught = ({ missed, extra, harm }: FaultRow): boolean =>
  missed.length + extra.length + harm.length === 0;

/** Judges the clauses of a fault alone: whether the suite is sensitive to it. */
export async function ownRow(fault: Promised): Promise<FaultRow> {
  const { api, id, fails, keyTypes: [type = 'live'] = [] } = fault;
  const perDay = perDayClause(api);
  const { results, harm } = await world({
    api,
    faults: [id],
    clauses: clausesToSee(fault).filter((clause) => clause !== perDay),
    enterprise: needsEnterprise(fault),
  });
  const judged = fails.includes(perDay) ? [...results, await dayResult(api, type, id)] : results;
  return { ...rowOf(fault, judged, { must: fails }), harm };
}

/**
 * Runs the whole suite against a deployment with several faults: whether anything else fails. Where it does, each half
 * of the faults is tried by itself, and in the end each of them alone: one may break what another one needs.
 */
export async function wholeRows(together: readonly Promised[]): Promise<readonly FaultRow[]> {
  const [first] = together;
  if (first === undefined) {
    return [];
  }
  const isAlone = together.length === 1;
  const plan = { api: first.api, faults: together.map(({ id }) => id), enterprise: together.some(needsEnterprise) };
  const run = await (isAlone ? world(plan) : world(plan).catch(() => null));
  const rows = together.map((fault): FaultRow => {
    const shown = fault.fails.filter((clause) => clause !== perDayClause(fault.api));
    const row = rowOf(fault, run?.results ?? [], { must: isAlone ? shown : [], together });
    return { ...row, harm: run?.harm ?? [] };
  });
  if (isAlone || (run !== null && rows.every(isCaught))) {
    return rows;
  }
  const half = Math.ceil(together.length / 2);
  return [...(await wholeRows(together.slice(0, half))), ...(await wholeRows(together.slice(half)))];
}

/**
 * Like a fault alone in a whole run, on a deployment with other choices. Clauses that these leave undecided may stay so.
 * A fault that cannot show there is not missed: either the choices hide it, so that all answers are the same as without
 * it, or it is written for answers of another shape, and the deployment breaks.
 */
export async function crossedRow(fault: Promised, { api, name, chosen }: Deployment): Promise<FaultRow> {
  const run = await world({ api, faults: [fault.id], choices: chosen }).catch(() => null);
  if (run === null || run.results.some(isOfFaults)) {
    return { ...rowOf(fault, [], { must: [] }), deployment: name, harm: [] };
  }
  const row = rowOf(fault, run.results, { must: fault.fails, allowed: allowedBy(chosen) });
  const isHidden = row.missed.length > 0 && run.wire === (await world({ api, choices: chosen })).wire;
  return { ...row, deployment: name, missed: isHidden ? [] : row.missed, harm: run.harm };
}

/** Whether a check broke in the code of a fault. */
const isOfFaults = ({ verdict, findings }: ClauseResult): boolean =>
  verdict === 'broken' && findings.some(({ message }) => message.includes('fixtures/reference/faults/'));

/** With what the results of a run are compared. */
interface Expected {
  /** The clauses that must fail in it. */
  readonly must: readonly string[];
  /** Clauses that may stay undecided anyway. */
  readonly allowed?: ReadonlySet<string>;
  /** All faults that the deployment has. */
  readonly together?: readonly Promised[];
}

/** Compares the results of a run with a fault's declared effects. */
function rowOf(
  fault: Promised,
  results: readonly ClauseResult[],
  { must, allowed = new Set(), together = [fault] }: Expected,
): Omit<FaultRow, 'harm'> {
  const named = new Set(together.flatMap(({ fails, mayFail }) => [...fails, ...mayFail]));
  const ids = (of: (result: ClauseResult) => boolean): string[] => results.filter(of).map(({ id }) => id);
  const failed = ({ verdict }: ClauseResult): boolean => verdict === 'fail' || verdict === 'warn';
  // The plain reference leaves only that one undecided, which choice-row.ts checks.
  const isOpen = ({ id, verdict }: ClauseResult): boolean => undecided.has(verdict) && id !== perDayClause(fault.api);
  const fails = ids((result) => failed(result) && fault.fails.includes(result.id));
  const open = ids(isOpen);
  return {
    id: fault.id,
    fails,
    missed: must.filter((clause) => !fails.includes(clause) && !(open.includes(clause) && allowed.has(clause))),
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
