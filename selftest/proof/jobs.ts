import type { ApiName } from '../../contract/clause.ts';
import { clauseOf } from '../../contract/clauses.ts';
import { settings as allSettings } from '../../contract/settings.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import { createRandom } from '../../fixtures/reference/random.ts';
import type { Deployment } from './choice-row.ts';
import { choicesText } from './choices-text.ts';
import { crossings, drawnCrossed, metCrossed } from './crossed.ts';
import type { Promised } from './fault-row.ts';
import { metOnce } from './met-once.ts';
import { judgeable } from './pending.ts';
import { profiles } from './profiles.ts';

/**
 * One run of the proof: against a fault on the plain reference or another deployment, against several faults of one API
 * together, or against a correct deployment.
 */
export type Job =
  | { readonly fault: string; readonly deployment?: Deployment }
  | { readonly together: readonly string[] }
  | { readonly deployment: Deployment };

export const apis: readonly ApiName[] = ['developer', 'workspace'];

/** The plain reference of each API. */
export const plainOf = (api: ApiName): Deployment => ({ api, name: `plain ${api}`, chosen: {} });

/** Each value of each choice, without any other choice. */
export const singleChoices: readonly Deployment[] = choices.flatMap(({ api, name, values }) =>
  Object.keys(values).map((value) => ({ api, name: `${name}=${value}`, chosen: { [name]: value } })),
);

/** The deployments in the style of a product or framework. */
export const inStyle: readonly Deployment[] = Object.entries(profiles).flatMap(([name, chosen]) =>
  apis.map((api) => ({ api, name: `${name} ${api}`, chosen: chosen[api] })),
);

/** Each of them with half of the choices of the next one, except choices that it makes itself. */
const mixed: readonly Deployment[] = inStyle.map(({ api, name, chosen }, index) => {
  const other = inStyle[(index + 2) % inStyle.length] as Deployment;
  const half = Object.entries(other.chosen).filter((_, place) => place % 2 === 0);
  return {
    api,
    name: `${name} and half of ${other.name}`,
    chosen: judgeable({ ...Object.fromEntries(half), ...chosen }),
  };
});

/** The seed of the random combinations. */
const combinationSeed = 20_261;

/**
 * Choices that are proven alone, with faults, and in named combinations, and are not drawn: of a hundred random limiters
 * with a limit on concurrent calls, seven were misjudged.
 */
const notDrawn: readonly string[] = ['developer-concurrency', 'workspace-concurrency'];

/** Random combinations of one API's choices. Each choice has any value that the suites can judge, or the plain one. */
export function combinations(api: ApiName, count: number, seed = combinationSeed): Deployment[] {
  const random = createRandom(seed);
  const own = choices.filter((choice) => choice.api === api && !notDrawn.includes(choice.name));
  return Array.from({ length: count }, () => {
    const drawn = own.map(({ name, values }) => [name, random.pick(['default', ...Object.keys(values)])] as const);
    const chosen = judgeable(Object.fromEntries(drawn.filter(([, value]) => value !== 'default')));
    return { api, name: choicesText(chosen), chosen };
  });
}

/** How many random combinations there are for each API, and how many `npm run matrix` tries. */
const [combinationsEach, mostCombinations] = [8, 100];
export const combined: readonly Deployment[] = [
  ...metOnce,
  ...apis.flatMap((api) => combinations(api, combinationsEach)),
];

/** Random shapes of each API. */
export const randomShapes = (count: number, seed = combinationSeed): readonly Deployment[] =>
  apis.flatMap((api) =>
    Array.from({ length: count }, (_, at) => ({
      api,
      name: `shape ${seed + at} ${api}`,
      chosen: {},
      shape: seed + at,
    })),
  );
const shapesEach = 25;

export const jobOf = (deployment: Deployment): Job => ({ deployment });

export const faultJob = ({ id }: Promised): Job => ({ fault: id });

/** All runs of the proof: those of `npm run matrix`. */
export const allJobs = (): Job[] => [
  ...apis.map(plainOf).map(jobOf),
  ...faults.map(faultJob),
  ...[...singleChoices, ...inStyle, ...mixed, ...combined].map(jobOf),
  ...apis.flatMap((api) => combinations(api, mostCombinations).slice(combinationsEach).map(jobOf)),
  ...randomShapes(shapesEach).map(jobOf),
  ...metCrossed,
  ...drawnCrossed,
];

/** How many random combinations are run for a change of a clause or choice. */
const samples = 6;

/**
 * A change of a clause can show in other clauses, too: they are judged with each fault and on the plain reference. On
 * the other correct deployments the clause is judged alone, unless its evidence is the calls of the others: that takes
 * a tenth of the time, and shows that -t may choose it alone.
 */
const concernsClause = (clause: string): Job[] => {
  const api = clause.startsWith('developer.') ? 'developer' : 'workspace';
  const isNamed = ({ fails, mayFail }: Promised): boolean => fails.includes(clause) || mayFail.includes(clause);
  const open = choices.flatMap(({ name, values }) =>
    Object.entries(values).flatMap(([value, { undecided }]) =>
      undecided.includes(clause) ? [`${name}=${value}`] : [],
    ),
  );
  return [
    jobOf(plainOf(api)),
    ...faults.filter(isNamed).map(({ id }) => ({ fault: id })),
    ...[...singleChoices.filter(({ name }) => open.includes(name)), ...combinations(api, samples)].map((deployment) =>
      jobOf(clauseOf(clause).everyResponse ? deployment : { ...deployment, clauses: [clause] }),
    ),
  ];
};

const concernsChoice = (name: string): Job[] => {
  const own = singleChoices.filter((one) => one.name === name || one.name.startsWith(`${name}=`));
  return [
    ...own.map(jobOf),
    ...combined
      .filter((one) => own.some((value) => one.name.includes(value.name)))
      .slice(0, samples)
      .map(jobOf),
  ];
};

/**
 * All correct deployments but those of the random shapes, in runs with these settings: `WRITES=none`, `A=1,B=`. Throws if
 * no setting has such a name.
 */
const withSettings = (text: string): Job[] => {
  const settings = Object.fromEntries(text.split(',').map((setting) => setting.split('=') as [string, string]));
  const unknown = Object.keys(settings).find((name) => !allSettings.some((setting) => setting.name === name));
  if (unknown !== undefined) {
    throw new Error(`Cannot prove ${text}: no setting is named ${unknown}`);
  }
  return [...apis.map(plainOf), ...singleChoices, ...inStyle, ...combined].map((deployment) =>
    jobOf({ ...deployment, settings }),
  );
};

/** Random runs by the word that asks for them: `seed=7x100` for a hundred per API from the seed 7. */
const randomJobs: Readonly<Record<string, (count: number, seed: number) => Job[]>> = {
  seed: (count, seed) => apis.flatMap((api) => combinations(api, count, seed).map(jobOf)),
  shapes: (count, seed) => randomShapes(count, seed).map(jobOf),
  crossed: (count, seed) => apis.flatMap((api) => crossings(api, count, seed)),
};

/**
 * The runs that concern a clause, fault, choice (with or without a value), profile or setting. Throws if the name is
 * unknown.
 */
export function jobsFor(name: string): Job[] {
  const [, word = '', seed, count] = /^(seed|shapes|crossed)=(\d+)x(\d+)$/.exec(name) ?? [];
  const random = randomJobs[word];
  if (random !== undefined) {
    return random(Number(count), Number(seed));
  }
  if (/^[A-Z_]+=/.test(name)) {
    return withSettings(name);
  }
  if (Object.hasOwn(profiles, name)) {
    return [...inStyle, ...mixed].filter((one) => one.name.startsWith(`${name} `)).map(jobOf);
  }
  if (faults.some(({ id }) => id === name)) {
    return [{ fault: name }, ...metCrossed.filter(({ fault }) => fault === name)];
  }
  if (/^(developer|workspace)\./.test(name)) {
    return concernsClause(name);
  }
  if (!singleChoices.some((one) => one.name.startsWith(name))) {
    throw new Error(`Cannot prove ${name}: no clause, fault, choice or profile has this name`);
  }
  return concernsChoice(name);
}
