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
      lines.set(key, [...lines.get(key) ?? [], line]);
    },
    distance: ({ file, line }, trial) => Math.min(Infinity, ...(lines.get(keyOf(file, trial)) ?? []).map((one) => Math.abs(one - line))),
  };
}

/** Trials of single clauses that come before the whole plain run. */
const mostSingle = 4;
/** What the trials of one mutant may take together, in times of a whole plain run. */
const budget = 5;
/** The same of absurd servers and runs that may do less. */
const othersBudget = 5;
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
export function takesAnotherWay(trial: Rehearsed, usual: Rehearsed | undefined, mutant: Mutant, marks: readonly Mutant[]): boolean {
  if (usual === undefined) return true;
  return marks.some(({ file, line, number }) => file === mutant.file && Math.abs(line - mutant.line) <= around && trial.hits[number] !== usual.hits[number]);
}

/** Whether a trial passes places around a mutant that the plain run does not pass at all. */
function passesNewPlaces(trial: Rehearsed, usual: Rehearsed | undefined, mutant: Mutant, marks: readonly Mutant[]): boolean {
  return usual !== undefined && marks.some(({ file, line, number }) =>
    file === mutant.file && Math.abs(line - mutant.line) <= around && usual.hits[number] === 0 && (trial.hits[number] ?? 0) > 0);
}

/**
 * The trials to run a mutant with, the likeliest and cheapest first: samples, plain ones that pass its place, then those with faults
 * that told its neighbours, then the others, as far as the budget goes. `places`: mutants that
 * stand for this one, where its own place is passed while the module loads.
 */
export function trialsFor(mutant: Mutant, places: readonly Mutant[], { rehearsal, memory, marks }: Choosing): Rehearsed[] {
  const { readings, plain, faults, others } = rehearsal;
  const passing = (trials: readonly Rehearsed[]): Rehearsed[] =>
    trials.filter(({ hits }) => places.some(({ number }) => (hits[number] ?? 0) > 0)).sort((a, b) => a.ms - b.ms);
  const plainly = passing(plain);
  const single = plainly.filter(({ trial }) => trial.clauses !== null);
  const whole = plainly.filter(({ trial }) => trial.clauses === null);
  const usual = new Map(plain.map((one) => [one.trial.clauses?.[0] ?? one.trial.api, one]));
  const usualOf = ({ trial: { api, clauses } }: Rehearsed): Rehearsed | undefined =>
    (clauses === null ? usual.get(api) : clauses.length === 1 ? usual.get(clauses[0] ?? '') : undefined);
  const differs = (one: Rehearsed): boolean => places[0] !== mutant || takesAnotherWay(one, usualOf(one), mutant, marks);
  const novel = (one: Rehearsed): boolean => passesNewPlaces(one, usualOf(one), mutant, marks);
  const rank = (one: Rehearsed): number => Math.min(near + (novel(one) || named(one) ? 1 : differs(one) ? 2 : 3), memory.distance(mutant, one.trial.name));
  const another = (trials: readonly Rehearsed[]): Rehearsed[] => passing(trials).filter((one) => one.trial.fault !== undefined || differs(one));
  const sooner = (trials: readonly Rehearsed[]): Rehearsed[] => [...new Set([...passing(trials).filter(novel), ...another(trials), ...passing(trials)])];
  const clauses = new Set(single.flatMap(({ trial }) => trial.clauses ?? []));
  const named = ({ trial: { shows = [] } }: Rehearsed): boolean => shows.length > 0 && (clauses.size === 0 || shows.some((clause) => clauses.has(clause)));
  // A fault that turns red a clause which passes the place may be told there; what others touch has to show around it.
  const broken = [...passing(faults.filter(named)), ...another(faults.filter((one) => !named(one)))]
    .map((one) => ({ one, rank: rank(one) })).sort((one, other) => one.rank - other.rank);
  const told = broken.filter((one) => one.rank <= near).slice(0, 3).map(({ one }) => one);
  const rest = broken.map(({ one }) => one).filter((one) => !told.includes(one));
  // Where every clause that passes the place has run, the whole run has little to add.
  const [early, late] = single.length >= mostSingle ? [whole, []] : [[], whole];
  return [
    ...passing(readings),
    ...withinBudget(plain, budget, [...single.slice(0, mostSingle), ...told, ...early, ...rest, ...late]),
    ...withinBudget(plain, othersBudget, [...sooner(others.filter(isQuick)), ...another(others.filter((one) => !isQuick(one)))]),
  ];
}

/** There are few of these, and nothing else shows what they show. */
const isQuick = ({ trial: { server } }: Rehearsed): boolean => server === undefined;

/** The first of the trials that together take no longer than so many times a whole plain run; at least one. */
export function withinBudget(plain: readonly Rehearsed[], times: number, trials: readonly Rehearsed[]): Rehearsed[] {
  const most = times * Math.max(0, ...plain.map(({ ms }) => ms));
  let spent = 0;
  return trials.filter(({ ms }) => {
    spent += ms;
    return spent - ms <= most;
  });
}
