import { choices, faults } from '../../fixtures/reference/deployment.ts';
import type { Deployment } from './choice-row.ts';
import { drawnCrossed, metCrossed } from './crossed.ts';
import { perDayClause } from './day-in-process.ts';
import { needsEnterprise, type Promised } from './fault-row.ts';
import { apis, combined, faultJob, inStyle, type Job, jobOf, plainOf, randomShapes, singleChoices } from './jobs.ts';
import { readFaultLines } from './matrix.ts';
import { isPending, judgeable } from './pending.ts';
import { seenIn } from './seen-in.ts';

/** Whether the selftest judges a choice in a run of its own: for its row of the matrix, or because it is pending. */
function isJudgedAlone({ name }: Deployment): boolean {
  const [choice = '', value = ''] = name.split('=');
  const declared = choices.find((one) => one.name === choice)?.values[value]?.undecided ?? [];
  return declared.length > 0 || isPending(name);
}

/** The choices that the selftest judges alone. */
export const aloneInSelftest: readonly Deployment[] = singleChoices.filter(isJudgedAlone);

/** Other choices that some clauses observe: only these clauses are judged of them alone. */
const observedAlone: readonly Deployment[] = singleChoices
  .filter((one) => !isJudgedAlone(one))
  .map((one) => ({ ...one, clauses: clausesThatSee(one) }))
  .filter(({ clauses }) => clauses.length > 0);

function clausesThatSee({ name }: Deployment): readonly string[] {
  const [choice = ''] = name.split('=');
  return Object.entries(seenIn).flatMap(([clause, names]) => (names.includes(choice) ? [clause] : []));
}

/** How many of the other choices it judges in one run at most: `npm run matrix` has the time to judge each alone. */
const together = 8;

/**
 * Groups of the other choices. Those of a group are far from each other in the list, so that none excludes another: as
 * few groups as there can be without two values of one choice, or a pending combination, in any of them.
 */
export const groups: readonly Deployment[] = apis.flatMap((api) => {
  const others = singleChoices.filter((one) => one.api === api && !isJudgedAlone(one));
  for (let count = Math.ceil(others.length / together); ; count += 1) {
    const all = Array.from({ length: count }, (_, at) => others.filter((_, place) => place % count === at));
    if (all.every(canBeTogether)) {
      return all.map((members) => ({
        api,
        name: members.map(({ name }) => name).join(' '),
        chosen: chosenBy(members),
      }));
    }
  }
});

function chosenBy(members: readonly Deployment[]): Deployment['chosen'] {
  return Object.assign({}, ...members.map(({ chosen }) => chosen));
}

function canBeTogether(members: readonly Deployment[]): boolean {
  return Object.keys(judgeable(chosenBy(members))).length === members.length;
}

/** How many faults it puts into one deployment: `npm run matrix` has the time to judge each alone. */
const faultsTogether = 6;

/** The faults that leave nothing undecided, as the matrix says. */
const leaveNothingOpen: ReadonlySet<string> = new Set(
  readFaultLines()
    .filter(({ open }) => open === 0)
    .map(({ id }) => id),
);

/**
 * Whether a fault can be judged together with others: it must leave nothing undecided, since that could hide another,
 * and need no run of its own kind.
 */
const canShare = (fault: Promised): boolean =>
  leaveNothingOpen.has(fault.id) &&
  !needsEnterprise(fault) &&
  !fault.fails.includes(perDayClause(fault.api)) &&
  !isPending(fault.id);

/** Whether two faults fail different clauses, so that neither can pass for the effect of the other. */
const areApart = (one: Promised, other: Promised): boolean =>
  [one, other].every(({ fails }, at) => {
    const { fails: must, mayFail } = at === 0 ? other : one;
    return !fails.some((clause) => must.includes(clause) || mayFail.includes(clause));
  });

/**
 * The faults that the selftest judges in groups. Those of a group fail different clauses, and are far from each other in
 * the list where that is possible.
 */
export const faultGroups: readonly (readonly Promised[])[] = apis.flatMap((api) => {
  const shared = faults.filter((fault) => fault.api === api && canShare(fault));
  const groups = Array.from({ length: Math.ceil(shared.length / faultsTogether) }, (): Promised[] => []);
  for (const [place, fault] of shared.entries()) {
    const start = place % groups.length;
    const inTurn = [...groups.slice(start), ...groups.slice(0, start)];
    const room = inTurn.find((group) => group.length < faultsTogether && group.every((one) => areApart(one, fault)));
    if (room === undefined) {
      groups.push([fault]);
    } else {
      room.push(fault);
    }
  }
  return groups;
});

/** How many faults of each clause the selftest judges at least, if the clause has so many. */
const faultsOfClause = 2;

/** The faults that it judges alone: of those that cannot share a run, the first ones of each clause, and pending ones. */
export const faultsAlone: readonly Promised[] = (() => {
  const counts = new Map<string, number>();
  return faults.filter((fault) => {
    const { id, fails } = fault;
    const isAmongFirst = fails.some((clause) => (counts.get(clause) ?? 0) < faultsOfClause);
    for (const clause of fails) {
      counts.set(clause, (counts.get(clause) ?? 0) + 1);
    }
    return !canShare(fault) && (isAmongFirst || isPending(id));
  });
})();

/** All faults that it judges. */
export const faultsInSelftest: readonly Promised[] = [...faultsAlone, ...faultGroups.flat()];

/** How many random shapes of each API it runs. */
const shapesEach = 6;

/** Every third one: the selftest runs a third of what was once misjudged. */
const third = <T>(all: readonly T[]): readonly T[] => all.filter((_, at) => at % 3 === 0);

/** The combinations, and the faults with choices, that the selftest runs. */
export const combinedInSelftest = third(combined);
export const crossedInSelftest = third([...metCrossed, ...drawnCrossed]);

/** The random shapes that it runs. */
export const shapesInSelftest = randomShapes(shapesEach);

/** The runs of `npm run selftest`, which ends in time on a slow machine. */
export const selftestJobs = (): Job[] => [
  ...apis.map(plainOf).map(jobOf),
  ...faultsAlone.map(faultJob),
  ...faultGroups.map((group) => ({ together: group.map(({ id }) => id) })),
  ...[...aloneInSelftest, ...observedAlone, ...groups, ...inStyle, ...combinedInSelftest, ...shapesInSelftest].map(
    jobOf,
  ),
  ...crossedInSelftest,
];
