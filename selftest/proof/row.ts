import { choices, faults } from '../../fixtures/reference/deployment.ts';
import type { Fault } from '../../fixtures/reference/variation.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { unnamedWords } from '../world/traces.ts';
import { type Plan, world } from '../world/world.ts';
import { dayResult, perDayClause } from './day-in-process.ts';

/** One job of the proof: the clauses to judge of the reference with a fault, with other choices, with both or neither. */
export interface Job extends Pick<Plan, 'api' | 'clauses' | 'choices' | 'userBodies'> {
  readonly name: string;
  /** The id of a fault. */
  readonly fault?: string;
}

/** What a job showed. */
export interface Row extends Job {
  /**
   * Clauses that should fail and do not, or that should not fail or stay undecided and do, and what the run left, showed
   * or harmed: nothing if the suite is right.
   */
  readonly wrong: readonly string[];
  /** What was observed for each gap. */
  readonly observed: Readonly<Record<string, string>>;
}

/** The effects that a fault declares. */
export type Promised = Omit<Fault<never>, 'change'>;

/** Whether only an enterprise key can show the fault. */
export const needsEnterprise = ({ id }: Pick<Promised, 'id'>): boolean => id.includes('enterprise');

/** The choices of which BODIES tells a run all that it needs. */
const toldByBodies = /^workspace-(agent|lead|booking)-body$|^webhook-(events|url)-field$/;

/** The clauses that cannot be decided with the choices of a job: the union over all but those that the user told of. */
export const allowedBy = ({ choices: chosen = {}, userBodies }: Partial<Job>): ReadonlySet<string> =>
  new Set(
    choices
      .filter(({ name }) => userBodies === undefined || !toldByBodies.test(name))
      .flatMap(({ name, values }) => values[chosen[name] ?? '']?.undecided ?? []),
  );

/** Whether a record may be left if the report names it, since no list shows for certain that it is the run's. */
const mayBeLeft = (line: string, allowed: ReadonlySet<string>): boolean =>
  !line.endsWith(unnamedWords) &&
  [...allowed].some((id) => id.endsWith('.list') && line.startsWith(`/v1/${id.split('.')[1]} `));

/** Does a job. */
export async function rowOf(job: Job): Promise<Row> {
  const { api, clauses, choices: chosen = {} } = job;
  const fault = faults.find(({ id }) => id === job.fault);
  const isCrossed = fault !== undefined && Object.keys(chosen).length > 0;
  const plan = { ...job, enterprise: fault !== undefined && needsEnterprise(fault) };
  const run = await world({ ...plan, faults: fault === undefined ? [] : [fault.id] });
  // A run leaves the limit of a day undecided.
  const results = run.results.filter(({ id }) => id !== perDayClause(api));
  if (fault !== undefined && clauses?.includes(perDayClause(api))) {
    results.push(await dayResult(api, needsEnterprise(fault) ? 'enterprise' : 'live', fault.id));
  }
  const wrong = results.filter((result) => !isRight(result, job, fault));
  // A fault cannot show where the choices hide it, or where it breaks, since it is written for answers of another shape.
  const isInVain =
    isCrossed && wrong.length > 0 && (wrong.some(isOfFaults) || answersIn(run) === answersIn(await world(plan)));
  return {
    ...job,
    wrong: [
      ...(isInVain ? [] : wrong).map(({ id, verdict, findings }) => `${verdict} ${id}: ${findings[0]?.message ?? ''}`),
      ...run.harm.map((line) => `harm: ${line}`),
      ...(fault ? [] : run.left.filter((line) => !mayBeLeft(line, allowedBy(job)))).map((line) => `left: ${line}`),
      ...(fault ? [] : run.leaks).map((line) => `shows a secret: ${line}`),
    ],
    observed: Object.fromEntries(
      results.flatMap(({ id, observed }) => (observed === null ? [] : [[id, JSON.stringify(observed)]])),
    ),
  };
}

/**
 * Whether a verdict is as declared. A clause may stay undecided if it names a broken one as the reason, since a fault may
 * break the preparations of others. The reason may be two steps away: a key that cannot be created for a module names
 * the clause of creation, which names that of scope names.
 */
function isRight({ id, verdict, findings }: ClauseResult, job: Job, fault: Promised | undefined): boolean {
  const { fails = [], mayFail = [] } = fault ?? {};
  const named = [...fails, ...mayFail];
  const mustFail = fails.includes(id);
  if (verdict === 'fail' || verdict === 'warn') {
    return named.includes(id);
  }
  if (verdict === 'inconclusive' || verdict === 'skip') {
    const isExcused =
      named.includes(id) || findings.some(({ blames }) => blames !== undefined && named.includes(blames));
    // A correct deployment is skipped only where its one secret for all webhooks says that the clause does not apply.
    const isSkipped = verdict === 'skip' && fault === undefined && job.choices?.['webhook-secret'] !== 'dashboard';
    return (allowedBy(job).has(id) && !isSkipped) || (isExcused && !mustFail);
  }
  return verdict !== 'broken' && !mustFail;
}

/** Whether a check broke in the code of a fault. */
const isOfFaults = ({ verdict, findings }: ClauseResult): boolean =>
  verdict === 'broken' && findings.some(({ message }) => message.includes('fixtures/reference/faults/'));

/**
 * All answers of a run, without the random URLs of the inbox, whose slashes may be escaped: equal if a client cannot tell
 * two deployments apart.
 */
const answersIn = ({ exchanges }: Awaited<ReturnType<typeof world>>): string =>
  JSON.stringify(
    exchanges.map(({ request, response }) => [request.method, response?.status, response?.headers, response?.text]),
  ).replace(/inbox\.local[\w\\/-]+/g, 'inbox');
