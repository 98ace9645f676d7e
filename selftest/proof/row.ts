import { choices, faults } from '../../fixtures/reference/deployment.ts';
import type { Fault } from '../../fixtures/reference/variation.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { unnamedWords } from '../world/traces.ts';
import { type Plan, world } from '../world/world.ts';
import { dayResult, perDayClause } from './day-in-process.ts';

/** One job of the proof: the clauses to judge of the reference with faults, with other choices, with both or neither. */
export interface Job extends Pick<Plan, 'api' | 'clauses' | 'faults' | 'choices' | 'userBodies'> {
  readonly name: string;
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

/** The fault with this id. Throws if there is none. */
function faultOf(wanted: string): Promised {
  const fault = faults.find(({ id }) => id === wanted);
  if (fault === undefined) {
    throw new Error(`Cannot find the fault ${wanted}`);
  }
  return fault;
}

/** Whether only an enterprise key can show the fault. */
export const needsEnterprise = ({ keyTypes = [] }: Pick<Promised, 'keyTypes'>): boolean =>
  keyTypes.includes('enterprise');

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

/** Whether a job has a fault of a deployment that makes other choices. */
const isCrossed = ({ faults: ids = [], choices: chosen = {} }: Job): boolean =>
  ids.length > 0 && Object.keys(chosen).length > 0;

/** Does a job. If it is wrong with several faults, each half of them is tried: one may break what another one needs. */
export async function rowsFor(job: Job): Promise<readonly Row[]> {
  const { faults: ids = [] } = job;
  const row = await rowOf(job).catch((error: unknown) => {
    if (ids.length > 1 || isCrossed(job)) {
      return null;
    }
    throw error;
  });
  if (ids.length < 2 || row?.wrong.length === 0) {
    return row === null ? [] : [row];
  }
  const half = Math.ceil(ids.length / 2);
  const halves = [ids.slice(0, half), ids.slice(half)].map((some) => ({ ...job, name: some.join(' '), faults: some }));
  return (await Promise.all(halves.map(rowsFor))).flat();
}

async function rowOf(job: Job): Promise<Row> {
  const { api, clauses } = job;
  const broken = (job.faults ?? []).map(faultOf);
  const [fault] = broken;
  const run = await world({ ...job, enterprise: broken.some(needsEnterprise) });
  // A run leaves the limit of a day undecided.
  const results = run.results.filter(({ id }) => id !== perDayClause(api));
  if (fault !== undefined && clauses?.includes(perDayClause(api))) {
    results.push(await dayResult(api, fault.keyTypes?.[0] ?? 'live', fault.id));
  }
  const wrong = results.filter((result) => !isRight(result, job, broken));
  // A fault cannot show where the choices hide it, or where it breaks, since it is written for answers of another shape.
  const isInVain =
    isCrossed(job) &&
    wrong.length > 0 &&
    (wrong.some(isOfFaults) || answersIn(run) === answersIn(await world({ ...job, faults: [] })));
  const isCorrect = broken.length === 0;
  return {
    ...job,
    wrong: [
      ...(isInVain ? [] : wrong).map(({ id, verdict, findings }) => `${verdict} ${id}: ${findings[0]?.message ?? ''}`),
      ...run.harm.map((line) => `harm: ${line}`),
      ...(isCorrect ? run.left.filter((line) => !mayBeLeft(line, allowedBy(job))) : []).map((line) => `left: ${line}`),
      ...(isCorrect ? run.leaks : []).map((line) => `shows a secret: ${line}`),
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
function isRight({ id, verdict, findings }: ClauseResult, job: Job, broken: readonly Promised[]): boolean {
  const named = new Set(broken.flatMap(({ fails, mayFail }) => [...fails, ...mayFail]));
  // In a pack, one fault may keep another from showing.
  const mustFail = broken.length === 1 && broken.some(({ fails }) => fails.includes(id));
  if (verdict === 'fail' || verdict === 'warn') {
    return named.has(id);
  }
  if (verdict === 'inconclusive' || verdict === 'skip') {
    const isExcused = named.has(id) || findings.some(({ blames }) => blames !== undefined && named.has(blames));
    // A correct deployment is skipped only where its one secret for all webhooks says that the clause does not apply.
    const isSkipped = verdict === 'skip' && broken.length === 0 && job.choices?.['webhook-secret'] !== 'dashboard';
    return (allowedBy(job).has(id) && !isSkipped) || (isExcused && !mustFail);
  }
  return verdict !== 'broken' && !mustFail;
}

/** Whether a check broke in the code of a fault. */
const isOfFaults = ({ verdict, findings }: ClauseResult): boolean =>
  verdict === 'broken' && findings.some(({ message }) => message.includes('fixtures/reference/faults/'));

/** All answers of a run, without the random URLs of the inbox: equal if a client cannot tell two deployments apart. */
const answersIn = ({ exchanges }: Awaited<ReturnType<typeof world>>): string =>
  JSON.stringify(
    exchanges.map(({ request, response }) => [request.method, response?.status, response?.headers, response?.text]),
  ).replace(/inbox\.local\/[\w/-]+/g, 'inbox');
