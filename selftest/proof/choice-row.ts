import type { ApiName } from '../../contract/clause.ts';
import { choices } from '../../fixtures/reference/deployment.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { unnamedWords } from '../world/traces.ts';
import { world } from '../world/world.ts';
import { perDayClause } from './day-in-process.ts';

/** A correct deployment, by its choices. */
export interface Deployment {
  readonly api: ApiName;
  /** The name of the row, such as `developer-limiter=sliding-log`. */
  readonly name: string;
  readonly chosen: Readonly<Record<string, string>>;
  /** The clauses that are judged; all of the API if not given. */
  readonly clauses?: readonly string[];
  /** The user's own bodies (BODIES). */
  readonly bodies?: Readonly<Record<string, unknown>>;
}

/** The suite's results for a correct deployment. */
export interface ChoiceRow extends Deployment {
  /** Clauses that failed, warned, broke, or stayed undecided without permission: none if the suite is right. */
  readonly alarms: readonly string[];
  /** What was observed for each gap. */
  readonly observed: Readonly<Record<string, string>>;
}

/** The choices of which BODIES tells a run all that it needs. */
const toldByBodies = [
  'workspace-booking-body',
  'workspace-agent-body',
  'workspace-lead-body',
  'webhook-events-field',
  'webhook-url-field',
];

/** The clauses that cannot be decided with these choices: the union over all of them but those that the user told of. */
export const allowedBy = (chosen: Deployment['chosen'], told: readonly string[] = []): ReadonlySet<string> =>
  new Set(
    choices
      .filter(({ name }) => !told.includes(name))
      .flatMap(({ name, values }) => values[chosen[name] ?? '']?.undecided ?? []),
  );

/** Whether a setting of the deployment says that a clause does not apply: one secret for all webhooks. */
const isSkippedBy = (chosen: Deployment['chosen'], id: string): boolean =>
  chosen['webhook-secret'] === 'dashboard' && id === 'workspace.webhooks.signature-secret';

/** Whether a record may be left if the report names it, since no list shows for certain that it is the run's. */
const mayBeLeft = (line: string, allowed: ReadonlySet<string>): boolean =>
  !line.endsWith(unnamedWords) &&
  [...allowed].some((id) => id.endsWith('.list') && line.startsWith(`/v1/${id.split('.')[1]} `));

/** Runs the suite against a correct deployment. */
export async function choiceRow(deployment: Deployment): Promise<ChoiceRow> {
  const { api, chosen, clauses, bodies } = deployment;
  const { results, left, leaks, harm } = await world({
    api,
    choices: chosen,
    ...(clauses === undefined ? {} : { clauses }),
    ...(bodies === undefined ? {} : { userBodies: bodies }),
  });
  const allowed = allowedBy(chosen, bodies === undefined ? [] : toldByBodies);
  const mayStayOpen = ({ id, verdict }: ClauseResult): boolean =>
    verdict === 'skip' ? isSkippedBy(chosen, id) : verdict === 'inconclusive' && allowed.has(id);
  const silent = ({ id, verdict }: ClauseResult): boolean =>
    ['pass', 'observed'].includes(verdict) || (verdict === 'skip' && id === perDayClause(api));
  const alarms = results.filter((result) => !silent(result) && !mayStayOpen(result));
  return {
    ...deployment,
    alarms: [
      ...alarms.map(({ id, verdict, findings }) => `${verdict} ${id}: ${findings[0]?.message ?? ''}`),
      ...left.filter((line) => !mayBeLeft(line, allowed)).map((line) => `left: ${line}`),
      ...leaks.map((line) => `shows a secret: ${line}`),
      ...harm.map((line) => `harm: ${line}`),
    ],
    observed: Object.fromEntries(
      results.flatMap(({ id, observed }) => (observed === null ? [] : [[id, JSON.stringify(observed)]])),
    ),
  };
}
