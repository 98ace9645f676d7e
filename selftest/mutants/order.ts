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
/** Trials with faults that come before the whole plain run, where that is unlikely to tell. */
const mostBroken = 12;
/** What the trials of one mutant may take together, in times of a whole plain run. */
const budget = 8;
/** Lines within which a trial that told one mutant is tried early on another. */
const near = 12;

/**
 * The trials to run a mutant with, the likeliest and cheapest first: plain ones that pass its place, then those with faults
 * that told its neighbours, then the others, as far as the budget goes. `places`: mutants that stand for this one, where its own place
 * is passed while the module loads.
 */
export function trialsFor(mutant: Mutant, places: readonly Mutant[], { plain, faults, others }: Rehearsal, memory: Memory): Rehearsed[] {
  const passing = (trials: readonly Rehearsed[]): Rehearsed[] =>
    trials.filter(({ hits }) => places.some(({ number }) => (hits[number] ?? 0) > 0)).sort((a, b) => a.ms - b.ms);
  const plainly = passing(plain);
  const single = plainly.filter(({ trial }) => trial.clauses !== null).slice(0, mostSingle);
  const rank = ({ trial }: Rehearsed): number => {
    const lines = memory.distance(mutant, trial.name);
    return lines > near ? near + 1 : lines;
  };
  const broken = passing([...faults, ...others]).map((one) => ({ one, rank: rank(one) })).sort((a, b) => a.rank - b.rank).map(({ one }) => one);
  const told = broken.filter((one) => rank(one) <= near).slice(0, 3);
  const whole = plainly.filter(({ trial }) => trial.clauses === null);
  const rest = broken.filter((one) => !told.includes(one));
  // Where every clause that passes the place has run, the whole run has little to add.
  const many = single.length === mostSingle;
  return withinBudget(plain, budget, [...single, ...told, ...many ? whole : [], ...rest.slice(0, mostBroken), ...many ? [] : whole, ...rest.slice(mostBroken)]);
}

/** The first of the trials that together take no longer than so many times a whole plain run; at least one. */
export function withinBudget(plain: readonly Rehearsed[], times: number, trials: readonly Rehearsed[]): Rehearsed[] {
  const most = times * Math.max(0, ...plain.map(({ ms }) => ms));
  let spent = 0;
  return trials.filter(({ ms }) => {
    spent += ms;
    return spent - ms <= most;
  });
}
