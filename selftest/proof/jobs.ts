import { CannotRun } from '../../common/cannot-run.ts';
import { clauseOf } from '../../contract/clauses.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import { apis } from '../world/world.ts';
import { clausesToSee } from './callers.ts';
import { combinations, crossings, fixedSeed } from './draws.ts';
import { choicePacks, choosing, singleChoices } from './packs.ts';
import { chosenBy, profiles } from './profiles.ts';
import { allowedBy, type Job, type Promised } from './row.ts';
import { seenIn } from './seen-in.ts';

/** The plain reference of each API. */
export const plain: readonly Job[] = apis.map((api) => ({ api, name: `plain ${api}` }));

/** The deployments in the style of a product or framework. */
const inStyle: readonly Job[] = Object.entries(profiles).flatMap(([name, profile]) =>
  apis.map((api) => ({ ...choosing(api, chosenBy(profile, api)), name: `${name} ${api}` })),
);

/** The same with the BODIES that their users would write. */
const inStyleWithBodies: readonly Job[] = Object.entries(profiles).map(([name, profile]) => ({
  ...choosing('workspace', chosenBy(profile, 'workspace')),
  name: `${name} workspace with its BODIES`,
  userBodies: profile.bodies ?? { 'POST /v1/leads': { name: 'Example {{run}}', email: '{{email}}' } },
}));

const isSeenIn = ({ name }: Job, clause: string): boolean =>
  seenIn[clause]?.includes(name.split('=')[0] ?? '') === true;

/** Choices that a clause observes: only these clauses are judged of them alone. */
const observedAlone: readonly Job[] = singleChoices
  .map((one) => ({ ...one, clauses: Object.keys(seenIn).filter((clause) => isSeenIn(one, clause)) }))
  .filter(({ clauses }) => clauses.length > 0);

/** Correct deployments that are drawn. One that makes no choice is the plain one. */
const drawn = (count: number, seed: number): readonly Job[] =>
  apis.flatMap((api) => combinations(api, count, seed)).filter(({ name }) => name !== '');
const crossed = (count: number, seed: number): readonly Job[] => apis.flatMap((api) => crossings(api, count, seed));

/** A fault on its clauses alone, and in a whole run. */
const wholeJob = ({ api, id }: Promised): Job => ({ api, name: id, fault: id });
const ownJob = (fault: Promised): Job => ({ ...wholeJob(fault), clauses: clausesToSee(fault) });

/** The selftest has to end in minutes: what it takes one of each few of, `npm run nightly` judges all of. */
const eachOf = (few: number) => (_: unknown, place: number) => place % few === 0;

/** The correct deployments of the selftest. */
export const correctInSelftest: readonly Job[] = [
  ...plain,
  ...choicePacks,
  // The others run with their BODIES.
  ...inStyle.filter(({ api }) => api === 'developer').filter(eachOf(2)),
  ...inStyleWithBodies,
  ...drawn(4, fixedSeed),
];

/** The jobs of `npm run selftest`: each fault on its clauses alone, whole runs of few faults and of packs of choices. */
export const selftestJobs = (): Job[] => [
  ...faults.filter(eachOf(100)).map(wholeJob),
  ...[...correctInSelftest, ...observedAlone],
  ...crossed(3, fixedSeed),
  ...faults.map(ownJob),
];

/** Everything: each fault and choice alone in whole runs, and many draws. */
export const allJobs = (seed: number): Job[] => [
  ...faults.map(wholeJob),
  ...[...plain, ...singleChoices, ...inStyle, ...inStyleWithBodies, ...drawn(60, seed)],
  ...crossed(60, seed),
  ...faults.map(ownJob),
];

/**
 * Each fault that breaks or may break the clause, on its clauses, the choices that it observes or that leave it undecided,
 * and all others in packs. On correct deployments, the clause is judged alone, unless its evidence is the calls of the
 * others: that is fast, and shows that -t may choose it alone.
 */
const concernsClause = (clause: string): Job[] => {
  const { everyResponse } = clauseOf(clause);
  const named = faults.filter(({ fails, mayFail }) => fails.includes(clause) || mayFail.includes(clause));
  const concerned = singleChoices.filter((one) => allowedBy(one).has(clause) || isSeenIn(one, clause));
  const correct = [...plain, ...choicePacks].filter(({ api }) => clause.startsWith(`${api}.`));
  return [
    ...named.map(ownJob),
    ...[...concerned, ...correct].map((one) => (everyResponse ? one : { ...one, clauses: [clause] })),
  ];
};

/** With how many packs a choice is run. */
const packsOfChoice = 6;

const concernsChoice = (name: string): Job[] => {
  const own = singleChoices.filter((one) => one.name === name || one.name.startsWith(`${name}=`));
  const packs = choicePacks.filter((pack) => own.some((one) => pack.name.split(' ').includes(one.name)));
  return [...own, ...packs.slice(0, packsOfChoice)];
};

/**
 * The runs that concern a clause, fault, choice (with or without a value) or profile. Throws if the name is
 * unknown.
 */
export function jobsFor(name: string): Job[] {
  if (Object.hasOwn(profiles, name)) {
    return [...inStyle, ...inStyleWithBodies].filter((one) => one.name.startsWith(`${name} `));
  }
  const fault = faults.find(({ id }) => id === name);
  if (fault !== undefined) {
    return [ownJob(fault), wholeJob(fault)];
  }
  if (/^(developer|workspace)\./.test(name)) {
    return concernsClause(name);
  }
  const jobs = concernsChoice(name);
  if (jobs.length === 0) {
    throw new CannotRun(`Cannot prove ${name}: no clause, fault, choice or profile has this name`);
  }
  return jobs;
}
