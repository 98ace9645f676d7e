import { clauseOf } from '../../contract/clauses.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import { apis } from '../world/world.ts';
import { allowedBy, type ChoiceRow, choiceRow, type Deployment } from './choice-row.ts';
import { type Crossing, combinations, crossings, fixedSeed } from './draws.ts';
import { crossedRow, type FaultRow, faultOf, ownRow, type Promised, wholeRows } from './fault-row.ts';
import { choicePacks, faultPacks, singleChoices } from './packs.ts';
import { chosenBy, profiles } from './profiles.ts';
import { seenIn } from './seen-in.ts';

/**
 * One job of the proof: the clauses of one fault alone, whole runs against one or several faults, a fault on another
 * deployment, or a correct deployment.
 */
export type Job =
  | { readonly own: string }
  | { readonly whole: readonly string[] }
  | Crossing
  | { readonly deployment: Deployment };

/** Does a job. Resolves with a row for each fault or deployment. */
export async function rowsFor(job: Job): Promise<readonly (FaultRow | ChoiceRow)[]> {
  if ('own' in job) {
    return [await ownRow(faultOf(job.own))];
  }
  if ('whole' in job) {
    return wholeRows(job.whole.map(faultOf));
  }
  return 'fault' in job ? [await crossedRow(faultOf(job.fault), job.deployment)] : [await choiceRow(job.deployment)];
}

/** The plain reference of each API. */
export const plain: readonly Deployment[] = apis.map((api) => ({ api, name: `plain ${api}`, chosen: {} }));

/** The deployments in the style of a product or framework. */
export const inStyle: readonly Deployment[] = Object.entries(profiles).flatMap(([name, profile]) =>
  apis.map((api) => ({ api, name: `${name} ${api}`, chosen: chosenBy(profile, api) })),
);

/** The same with the BODIES that their users would write. */
const inStyleWithBodies: readonly Deployment[] = Object.entries(profiles).map(([name, profile]) => ({
  api: 'workspace',
  name: `${name} workspace with its BODIES`,
  chosen: chosenBy(profile, 'workspace'),
  bodies: profile.bodies,
}));

/** Choices that a clause observes: only these clauses are judged of them alone. */
const observedAlone: readonly Deployment[] = singleChoices
  .map((one) => ({ ...one, clauses: clausesThatSee(one) }))
  .filter(({ clauses }) => clauses.length > 0);

function clausesThatSee({ name }: Deployment): readonly string[] {
  const [choice = ''] = name.split('=');
  return Object.entries(seenIn).flatMap(([clause, names]) => (names.includes(choice) ? [clause] : []));
}

/** What is drawn of each API in the selftest, and in everything. */
interface Draws {
  readonly combined: number;
  readonly crossed: number;
}
const [fewDraws, manyDraws]: readonly [Draws, Draws] = [
  { combined: 4, crossed: 3 },
  { combined: 60, crossed: 60 },
];

const draw = ({ combined, crossed }: Draws, seed = fixedSeed) => ({
  // One that makes no choice is the plain one.
  deployments: apis.flatMap((api) => combinations(api, combined, seed)).filter(({ name }) => name !== ''),
  crossed: apis.flatMap((api) => crossings(api, crossed, seed)),
});

export const drawnInSelftest = draw(fewDraws);

const jobOf = (deployment: Deployment): Job => ({ deployment });

const ownJob = ({ id }: Promised): Job => ({ own: id });
const wholeJob = (pack: readonly Promised[]): Job => ({ whole: pack.map(({ id }) => id) });

/** The selftest has to end in minutes: what it takes one of each few of, `npm run nightly` judges all of. */
const eachOf = (few: number) => (_: unknown, place: number) => place % few === 0;

/** The correct deployments of the selftest. */
export const deploymentsInSelftest: readonly Deployment[] = [
  ...plain,
  ...choicePacks,
  // The others run with their BODIES.
  ...inStyle.filter(({ api }) => api === 'developer').filter(eachOf(2)),
  ...inStyleWithBodies,
  ...drawnInSelftest.deployments,
];

/** The jobs of `npm run selftest`: each fault on its clauses alone, whole runs of packs of faults and of choices. */
export const selftestJobs = (): Job[] => [
  ...faultPacks.filter(eachOf(8)).map(wholeJob),
  ...[...deploymentsInSelftest, ...observedAlone].map(jobOf),
  ...drawnInSelftest.crossed,
  ...faults.map(ownJob),
];

/** Everything: each fault and choice alone in whole runs, and many draws. */
export const allJobs = (seed: number): Job[] => {
  const { deployments, crossed } = draw(manyDraws, seed);
  return [
    ...faults.map((fault) => wholeJob([fault])),
    ...[...plain, ...singleChoices, ...inStyle, ...inStyleWithBodies, ...deployments].map(jobOf),
    ...crossed,
    ...faults.map(ownJob),
  ];
};

/**
 * Each fault that breaks or may break the clause, on its clauses, the choices that it observes or that leave it undecided,
 * and all others in packs. On correct deployments, the clause is judged alone, unless its evidence is the calls of the
 * others: that is fast, and shows that -t may choose it alone.
 */
const concernsClause = (clause: string): Job[] => {
  const { everyResponse } = clauseOf(clause);
  const named = faults.filter(({ fails, mayFail }) => fails.includes(clause) || mayFail.includes(clause));
  const isConcerned = ({ name, chosen }: Deployment): boolean =>
    allowedBy(chosen).has(clause) || (seenIn[clause] ?? []).includes(name.split('=')[0] ?? '');
  const correct = [...plain, ...choicePacks].filter(({ api }) => clause.startsWith(`${api}.`));
  return [
    ...named.map(ownJob),
    ...[...singleChoices.filter(isConcerned), ...correct].map((deployment) =>
      jobOf(everyResponse ? deployment : { ...deployment, clauses: [clause] }),
    ),
  ];
};

/** With how many packs a choice is run. */
const packsOfChoice = 6;

const concernsChoice = (name: string): Job[] => {
  const own = singleChoices.filter((one) => one.name === name || one.name.startsWith(`${name}=`));
  const packs = choicePacks.filter((pack) => own.some((one) => pack.name.split(' ').includes(one.name)));
  return [...own, ...packs.slice(0, packsOfChoice)].map(jobOf);
};

/**
 * The runs that concern a clause, fault, choice (with or without a value) or profile. Throws if the name is
 * unknown.
 */
export function jobsFor(name: string): Job[] {
  if (Object.hasOwn(profiles, name)) {
    return [...inStyle, ...inStyleWithBodies].filter((one) => one.name.startsWith(`${name} `)).map(jobOf);
  }
  const fault = faults.find(({ id }) => id === name);
  if (fault !== undefined) {
    return [ownJob(fault), wholeJob([fault])];
  }
  if (/^(developer|workspace)\./.test(name)) {
    return concernsClause(name);
  }
  const jobs = concernsChoice(name);
  if (jobs.length === 0) {
    throw new Error(`Cannot prove ${name}: no clause, fault, choice or profile has this name`);
  }
  return jobs;
}
