import type { Api } from '../../contract/clause.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import { createRandom } from '../../fixtures/reference/random.ts';
import { choicesIn, choicesText } from '../../fixtures/reference/vary.ts';
import type { Deployment } from './choice-row.ts';
import { perDayClause } from './day-in-process.ts';
import { needsEnterprise } from './fault-row.ts';
import { judgeable } from './pending.ts';

/** A fault of a deployment that is otherwise correct, in its own way. */
interface Crossing {
  readonly fault: string;
  readonly deployment: Deployment;
}

/** Faults that were missed, or blamed on other clauses, among the choices of some deployment: proven ever since. */
const met: readonly string[] = [
  // What was written to live data showed there without the run's words, and with its id.
  'sandbox-updates-written-live developer-kept-texts=own-words',
  // A list that says nothing was taken to go on: only an empty page shows the end.
  'ads-audit-never-listed developer-list-pages=twenty-page-unsaid',
];

const crossing = (fault: string, api: Api, chosen: Deployment['chosen']): Crossing => ({
  fault,
  deployment: { api, name: choicesText(chosen), chosen },
});

const crossable = faults.filter((fault) => !needsEnterprise(fault) && !fault.fails.includes(perDayClause(fault.api)));

/** Those that are kept. */
export const metCrossed: readonly Crossing[] = met.map((line) => {
  const [id = ''] = line.split(' ');
  const { api } = faults.find((fault) => fault.id === id) ?? { api: 'developer' };
  return crossing(id, api, choicesIn(line));
});

/** The most choices that a drawn fault stands among. */
const mostChoices = 8;

/** Random faults of one API, each among a few random choices. */
export function crossings(api: Api, count: number, seed: number): Crossing[] {
  const random = createRandom(seed);
  const own = choices.filter((choice) => choice.api === api);
  const ids = crossable.filter((fault) => fault.api === api).map(({ id }) => id);
  return Array.from({ length: count }, () => {
    const taken = Array.from({ length: 1 + random.below(mostChoices) }, () => random.pick(own));
    const chosen = Object.fromEntries(taken.map(({ name, values }) => [name, random.pick(Object.keys(values))]));
    return crossing(random.pick(ids), api, judgeable(chosen));
  });
}
