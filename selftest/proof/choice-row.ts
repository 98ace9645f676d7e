import type { Api } from '../../contract/clause.ts';
import { choices } from '../../fixtures/reference/deployment.ts';
import { createRandom } from '../../fixtures/reference/random.ts';
import { perDayClause } from './day-in-process.ts';
import { runInProcess } from './run-in-process.ts';

/** A correct deployment: what it chose, by choice. */
export type Chosen = Readonly<Record<string, string>>;

/** What the suite says of a correct deployment. */
export interface ChoiceRow {
  readonly api: Api;
  readonly chosen: Chosen;
  /** Clauses that failed, warned, broke, or stayed open without leave: none, if the suite is right. */
  readonly alarms: readonly string[];
  /** Clauses that nobody can decide there. */
  readonly open: readonly string[];
}

/** Seed of the random combinations. */
export const combinationSeed = 20_261;
/** How many are drawn for each API. */
export const combinationsEach = 100;

/** The values of one API's choices, each alone. */
export const singleValues = (api: Api): Chosen[] =>
  choices
    .filter((choice) => choice.api === api)
    .flatMap(({ name, values }) => Object.keys(values).map((value) => ({ [name]: value })));

/** Random combinations: each choice takes any of its values or the plain one. */
export function combinations(api: Api, count: number, seed = combinationSeed): Chosen[] {
  const random = createRandom(seed);
  const own = choices.filter((choice) => choice.api === api);
  return Array.from({ length: count }, () =>
    Object.fromEntries(
      own.flatMap(({ name, values }) => {
        const value = random.pick(['default', ...Object.keys(values)]);
        return value === 'default' ? [] : [[name, value]];
      }),
    ),
  );
}

/** What no deployment of this kind shows: the union over its choices. */
const allowedBy = (chosen: Chosen): ReadonlySet<string> =>
  new Set(choices.flatMap(({ name, values }) => values[chosen[name] ?? '']?.inconclusive ?? []));

/** Runs the suite against a correct deployment. */
export async function choiceRow(api: Api, chosen: Chosen): Promise<ChoiceRow> {
  const { results, left, leaks } = await runInProcess({ api, choices: chosen });
  const allowed = allowedBy(chosen);
  const silent = (id: string, verdict: string): boolean =>
    ['pass', 'observed'].includes(verdict) || (verdict === 'skip' && id === perDayClause(api));
  const others = results.filter(({ id, verdict }) => !silent(id, verdict));
  const alarms = others.filter(({ id, verdict }) => verdict !== 'inconclusive' || !allowed.has(id));
  return {
    api,
    chosen,
    alarms: [
      ...alarms.map(({ id, verdict, findings }) => `${verdict} ${id}: ${findings[0]?.message ?? ''}`),
      ...left.map((line) => `left: ${line}`),
      ...leaks.map((line) => `shows a secret: ${line}`),
    ],
    open: others.filter((result) => !alarms.includes(result)).map(({ id }) => id),
  };
}
