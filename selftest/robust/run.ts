import { expect } from 'vitest';
import type { ApiName } from '../../contract/clause.ts';
import { clauses } from '../../contract/clauses.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { ClauseResult, Verdict } from '../../results/verdict.ts';
import { perDayClause } from '../proof/day-in-process.ts';
import { clausesOf, type Plan, world } from '../world/world.ts';

/** All clauses of an API but those of the limits, whose calls create nothing. */
export const creating = (api: ApiName): string[] =>
  clausesOf(api).flatMap(({ id }) => (id.startsWith(`${api}.limits.`) ? [] : [id]));

/** The clauses of a chapter, such as `developer.keys`. */
export const chapter = (name: string): string[] => clauses.flatMap(({ id }) => (id.startsWith(`${name}.`) ? [id] : []));

/**
 * Runs a suite in odd circumstances. Whatever they are, no check breaks, and nothing changes that the run did not make.
 * `red`, `open` and `judged`: the clauses that fail or warn, that are undecided, and the others, without the name of the
 * API. The limit of a day, which `npm run load` judges, is left out.
 */
export async function run(plan: Plan) {
  const ran = await world(plan);
  const { results, exchanges, harm } = ran;
  const short = (id: string): string => id.replace(`${plan.api}.`, '');
  const named = (...verdicts: readonly Verdict[]): string[] =>
    results.flatMap(({ id, verdict }) =>
      verdicts.includes(verdict) && id !== perDayClause(plan.api) ? [short(id)] : [],
    );
  expect({ broken: named('broken'), harm }).toEqual({ broken: [], harm: [] });
  return Object.assign(ran, {
    red: named('fail', 'warn'),
    open: named('inconclusive', 'skip'),
    judged: named('pass', 'observed'),
    resultOf: (name: string): ClauseResult | undefined => results.find(({ id }) => short(id) === name),
    /** The exchanges of an endpoint that were answered with 201. */
    created: (endpoint: string): Exchange[] =>
      exchanges.filter((one) => one.endpoint === endpoint && one.response?.status === 201),
  });
}

/** The JSON of a request. */
export const sentIn = ({ request }: Exchange): Record<string, string> =>
  JSON.parse(String(request.body)) as Record<string, string>;
