import { clauses } from '../../contract/clauses.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import type { Verdict } from '../../results/verdict.ts';
import type { Deployment } from '../../selftest/proof/choice-row.ts';
import { perDayClause } from '../../selftest/proof/day-in-process.ts';
import { combinations } from '../../selftest/proof/draws.ts';
import { needsEnterprise } from '../../selftest/proof/fault-row.ts';
import { singleChoices } from '../../selftest/proof/packs.ts';
import { apis, type Plan, world } from '../../selftest/world/world.ts';

/** A run whose outcome a mutant can change. */
export interface Trial extends Plan {
  readonly name: string;
}

/** How many combinations of choices are tried for each API. */
const combinationsOfEach = 12;

const choiceTrial = ({ api, name, chosen }: Deployment): Trial => ({ name: `choices ${name}`, api, choices: chosen });

/**
 * Trials of the plain deployment for each clause, of each fault for the clauses that it fails, and of choices,
 * alone and together.
 */
export const trials = (): Trial[] => [
  ...apis.flatMap((api) =>
    clauses
      .filter(({ id }) => id.startsWith(`${api}.`) && id !== perDayClause(api))
      .map(({ id }): Trial => ({ name: `plain ${id}`, api, clauses: [id] })),
  ),
  ...faults.map(
    (fault): Trial => ({
      name: `fault ${fault.id}`,
      api: fault.api,
      faults: [fault.id],
      clauses: fault.fails.filter((clause) => clause !== perDayClause(fault.api)),
      enterprise: needsEnterprise(fault),
    }),
  ),
  ...[...singleChoices, ...apis.flatMap((api) => combinations(api, combinationsOfEach))].map(choiceTrial),
];

const kinds: Readonly<Record<Verdict, string>> = {
  pass: 'green',
  observed: 'green',
  fail: 'red',
  warn: 'red',
  inconclusive: 'open',
  skip: 'open',
  broken: 'broken',
};

/** Runs a trial. Resolves with a text that is the same if, and only if, a user could see no difference. */
export async function outcomeOf({ name: _, ...plan }: Trial): Promise<string> {
  const { results, left, harm, leaks } = await world(plan);
  const lines = results.map(({ id, verdict, observed }) => `${id} ${kinds[verdict]} ${JSON.stringify(observed)}`);
  // Of what is left without its words: the URLs of webhooks are random.
  const places = new Set(left.map((line) => line.split(' ')[0]));
  return [...lines, ...places, ...harm, ...leaks].join('\n');
}
