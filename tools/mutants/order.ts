import type { Mutant } from './instrument.ts';
import type { Rehearsal, Rehearsed } from './rehearsal.ts';

/** What is remembered of the mutants that are dead: a neighbour often falls to the same trial. */
export interface Memory {
  note(mutant: Mutant, trial: string): void;
  /** How many lines away the trial last told a mutant of the same file; Infinity: it never did. */
  distance(mutant: Mutant, trial: string): number;
}

export function createMemory(): Memory {
  const lines = new Map<string, number[]>();
  const keyOf = (file: string, trial: string): string => `${file}\0${trial}`;
  return {
    note({ file, line }, trial) {
      const key = keyOf(file, trial);
      lines.set(key, [...(lines.get(key) ?? []), line]);
    },
    distance: ({ file, line }, trial) =>
      Math.min(Infinity, ...(lines.get(keyOf(file, trial)) ?? []).map((one) => Math.abs(one - line))),
  };
}

/** Trials of single clauses that come before the whole plain run. */
const mostSingle = 4;
/** What the trials of one mutant may take together, in times of a whole plain run: those of the plain deployment, and those with faults. */
const budget = 4;
const faultsBudget = 6;
/** The same of absurd servers and runs that may do less. */
const othersBudget = 4;
/** The same of settings that fit another kind of deployment, and of reads without an answer. */
const fittingBudget = 6;
/** Lines within which a trial that told one mutant is tried early on another. */
const near = 12;
/** Lines around a mutant in which a trial has to take another way than the plain one. */
const around = 10;

/** What the trials are chosen by, besides the mutant. */
export interface Choosing {
  readonly rehearsal: Rehearsal;
  readonly memory: Memory;
  /** All marks of the tree. */
  readonly marks: readonly Mutant[];
}

/**
 * Whether the code around a mutant is passed another number of times than with the plain deployment. A trial that takes the
 * same way as the plain one, which did not tell the mutant, will not tell it either.
 */
export function takesAnotherWay(
  trial: Rehearsed,
  usual: Rehearsed | undefined,
  mutant: Mutant,
  marks: readonly Mutant[],
): boolean {
  if (usual === undefined) {
    return true;
  }
  return marks.some(
    ({ file, line, number }) =>
      file === mutant.file && Math.abs(line - mutant.line) <= around && trial.hits[number] !== usual.hits[number],
  );
}

/**
 * The trials to run a mutant with, the likeliest and cheapest first: samples, plain ones that pass its place, then those with faults
 * that told its neighbours, then the others, as far as the budget goes: what first takes another way right there before what
 * costs less. `places`: mutants that stand for this one, where its own place is passed while the module loads.
 */
export function trialsFor(
  mutant: Mutant,
  places: readonly Mutant[],
  { rehearsal, memory, marks }: Choosing,
): Rehearsed[] {
  const { readings, plain, faults } = rehearsal;
  const passing = (trials: readonly Rehearsed[]): Rehearsed[] =>
    trials.filter(({ hits }) => places.some(({ number }) => (hits[number] ?? 0) > 0)).sort((a, b) => a.ms - b.ms);
  const passingPlain = passing(plain);
  const single = passingPlain.filter(({ trial }) => trial.clauses !== null);
  const whole = passingPlain.filter(({ trial }) => trial.clauses === null);
  const usual = new Map<string, Rehearsed>(
    plain.flatMap((one) => (one.trial.clauses ?? [one.trial.api]).map((name) => [name, one] as const)),
  );
  const usualOf = ({ trial: { api, clauses } }: Rehearsed): Rehearsed | undefined =>
    clauses === null ? usual.get(api) : undefined;
  const rank = ({ trial }: Rehearsed): number => Math.min(near + 1, memory.distance(mutant, trial.name));
  const another = (trials: readonly Rehearsed[]): Rehearsed[] =>
    passing(trials).filter((one) => places[0] !== mutant || takesAnotherWay(one, usualOf(one), mutant, marks));
  /** Lines to the nearest code that a trial passes and no plain run of its clauses does, or the other way round. */
  const linesOff = ({ trial: { api, clauses: judged }, hits }: Rehearsed): number => {
    const plainly = (judged ?? [api]).flatMap((name) => usual.get(name)?.hits ?? []);
    const off = marks.filter(
      ({ file, number }) =>
        file === mutant.file && (hits[number] ?? 0) > 0 !== plainly.some((one) => (one[number] ?? 0) > 0),
    );
    return Math.min(Infinity, ...off.map(({ line }) => Math.abs(line - mutant.line)));
  };
  const closest = (trials: readonly Rehearsed[]): Rehearsed[] =>
    trials
      .map((one) => ({ one, lines: linesOff(one) }))
      .sort((one, other) => (one.lines === other.lines ? 0 : one.lines - other.lines))
      .map(({ one }) => one);
  const clauses = new Set(single.flatMap(({ trial }) => trial.clauses ?? []));
  const named = ({ trial: { shows = [] } }: Rehearsed): boolean =>
    shows.length > 0 && (clauses.size === 0 || shows.some((clause) => clauses.has(clause)));
  // A fault that turns red a clause which passes the place may be told there; what others touch has to show around it.
  const ranked = (trials: readonly Rehearsed[]): { one: Rehearsed; rank: number }[] =>
    trials.map((one) => ({ one, rank: rank(one) })).sort((one, other) => one.rank - other.rank);
  const [concerned, others] = [
    closest(passing(faults.filter(named))),
    closest(another(faults.filter((one) => !named(one)))),
  ];
  const told = ranked([...concerned, ...others])
    .filter((one) => one.rank <= near)
    .slice(0, 3)
    .map(({ one }) => one);
  const rest = [...concerned, ...ranked(others).map(({ one }) => one)].filter((one) => !told.includes(one));
  // Where every clause that passes the place has run, the whole run has little to add.
  const [early, late] = single.length >= mostSingle ? [whole, []] : [[], whole];
  return [
    ...passing(readings),
    ...withinBudget(plain, budget, [...single.slice(0, mostSingle), ...told, ...early]),
    ...withinBudget(plain, faultsBudget, rest),
    ...withinBudget(plain, budget, late),
    ...withinBudget(plain, othersBudget / 2, another(rehearsal.others.filter(isQuick))),
    ...withinBudget(
      plain,
      othersBudget,
      closest(another(rehearsal.others.filter((one) => !isQuick(one) && !isTelling(one) && !fits(one)))),
    ),
    ...withinBudget(plain, othersBudget, closest(another(rehearsal.others.filter(isTelling)))),
    ...withinBudget(plain, fittingBudget, [
      ...passing(rehearsal.others.filter(chooses)),
      ...another(rehearsal.others.filter((one) => fits(one) && !chooses(one))),
    ]),
  ];
}

const fits = ({ trial: { fitting, losesReads } }: Rehearsed): boolean => fitting !== undefined || losesReads === true;
/** What a deployment chose need not show in the way through the code. */
const chooses = ({ trial: { fitting, chosen } }: Rehearsed): boolean => fitting !== undefined && chosen !== undefined;

/** There are few of these, and nothing else shows what they show. */
const isQuick = ({ trial: { ahead, loses, losesReads, telling } }: Rehearsed): boolean =>
  telling !== true && (ahead !== undefined || (loses !== undefined && losesReads !== true));
const isTelling = ({ trial: { telling } }: Rehearsed): boolean => telling === true;

/** Those of the trials, from the first on, that together take no longer than so many times a whole plain run; at least one. */
export function withinBudget(plain: readonly Rehearsed[], times: number, trials: readonly Rehearsed[]): Rehearsed[] {
  const most = times * Math.max(0, ...plain.map(({ ms }) => ms));
  let spent = 0;
  return trials.filter(({ ms }) => {
    if (spent > 0 && spent + ms > most) {
      return false;
    }
    spent += ms;
    return true;
  });
}
