import { expect } from 'vitest';
import type { ApiName } from '../../contract/clause.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { ClauseResult, Verdict } from '../../results/verdict.ts';
import { perDayClause } from '../proof/day-in-process.ts';
import { clausesOf, type Plan, world } from '../world/world.ts';

/** All clauses of an API but those of the limits, whose calls create nothing. */
export const creating = (api: ApiName): string[] =>
  clausesOf(api).flatMap(({ id }) => (id.startsWith(`${api}.limits.`) ? [] : [id]));

/** The circumstances of a run. */
export type Odd = Omit<Plan, 'api' | 'clauses'>;

/**
 * Judges clauses of one API in odd circumstances: those of these names, or of a chapter or the API that is named. Whatever
 * the circumstances are, no check breaks, and nothing changes that the run did not make. `red`, `open` and `judged`: the
 * clauses that fail or warn, that are undecided, and the others, without the name of the API. The limit of a day, which
 * `npm run load` judges, is left out.
 */
export async function run(names: string | readonly string[], odd: Odd = {}) {
  const wanted = [names].flat();
  const api: ApiName = wanted[0]?.startsWith('developer') ? 'developer' : 'workspace';
  const ids = clausesOf(api).map(({ id }) => id);
  const clauses = ids.filter((id) => wanted.some((name) => `${id}.`.startsWith(`${name}.`)));
  const ran = await world({ api, clauses, ...odd });
  const { results, exchanges, harm } = ran;
  const short = (id: string): string => id.replace(`${api}.`, '');
  const named = (...verdicts: readonly Verdict[]): string[] =>
    results.flatMap(({ id, verdict }) => (verdicts.includes(verdict) && id !== perDayClause(api) ? [short(id)] : []));
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
