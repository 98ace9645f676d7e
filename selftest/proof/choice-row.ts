import type { Api } from '../../contract/clause.ts';
import { choices } from '../../fixtures/reference/deployment.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { perDayClause } from './day-in-process.ts';
import { type Plan, runInProcess, unnamedWords } from './run-in-process.ts';

/** A correct deployment: what it chose, by choice; or the shape that a seed gives it. */
export interface Deployment {
  readonly api: Api;
  /** What the row is called: `developer-limiter=sliding-log`. */
  readonly name: string;
  readonly chosen: Readonly<Record<string, string>>;
  /** Seed of its shape. */
  readonly shape?: number;
}

/** What the suite says of a correct deployment. */
export interface ChoiceRow extends Deployment {
  /** Clauses that failed, warned, broke, or stayed open without leave: none, if the suite is right. */
  readonly alarms: readonly string[];
  /** Clauses that nobody can decide there. */
  readonly open: readonly string[];
  /** What was seen for each gap. */
  readonly observed: Readonly<Record<string, string>>;
  /** Stands for everything that came over the wire: the same only where a client cannot tell two deployments apart. */
  readonly wire: string;
}

/** What no deployment of this kind shows: the union over its choices. */
export const allowedBy = (chosen: Deployment['chosen']): ReadonlySet<string> =>
  new Set(choices.flatMap(({ name, values }) => values[chosen[name] ?? '']?.undecided ?? []));

/** Whether the report names it, and it may: what no list shows for certain cannot be told from what is somebody else's. */
const isToldLeft = (line: string, allowed: ReadonlySet<string>): boolean =>
  !line.endsWith(unnamedWords) &&
  [...allowed].some((id) => id.endsWith('.list') && line.startsWith(`/v1/${id.split('.')[1]} `));

/** Runs the suite against a correct deployment. */
export async function choiceRow(deployment: Deployment, plan: Partial<Plan> = {}): Promise<ChoiceRow> {
  const { api, chosen, shape } = deployment;
  const { results, left, leaks, harm, wire } = await runInProcess({
    ...plan,
    api,
    choices: chosen,
    ...(shape === undefined ? {} : { shape }),
  });
  const allowed = allowedBy(chosen);
  const silent = ({ id, verdict }: ClauseResult): boolean =>
    ['pass', 'observed'].includes(verdict) || (verdict === 'skip' && id === perDayClause(api));
  const others = results.filter((result) => !silent(result));
  const alarms = others.filter(({ id, verdict }) => verdict !== 'inconclusive' || !allowed.has(id));
  return {
    ...deployment,
    alarms: [
      ...alarms.map(({ id, verdict, findings }) => `${verdict} ${id}: ${findings[0]?.message ?? ''}`),
      ...left.filter((line) => !isToldLeft(line, allowed)).map((line) => `left: ${line}`),
      ...leaks.map((line) => `shows a secret: ${line}`),
      ...harm.map((line) => `harm: ${line}`),
    ],
    open: others.filter((result) => !alarms.includes(result)).map(({ id }) => id),
    observed: Object.fromEntries(
      results.flatMap(({ id, observed }) => (observed === null ? [] : [[id, JSON.stringify(observed)]])),
    ),
    wire,
  };
}
