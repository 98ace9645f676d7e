import type { Hand } from './pool.ts';
import type { Mutant } from './instrument.ts';
import { absurdTrials, choiceTrials, faultTrials, plainTrials, settingsTrials, showsFault, type Trial } from './trial.ts';

/** A trial without any mutant: what came of it, and how often it passed the place of each mutant. */
export interface Rehearsed {
  readonly trial: Trial;
  readonly outcome: string;
  readonly hits: Uint32Array;
  readonly ms: number;
}

/** Everything that a mutant may be tried with. */
export interface Rehearsal {
  /** Mutants whose place is passed while the modules load. */
  readonly atLoad: Uint32Array;
  readonly plain: readonly Rehearsed[];
  readonly faults: readonly Rehearsed[];
  readonly choices: readonly Rehearsed[];
  /** Servers that no document describes, and runs that may do less. */
  readonly others: readonly Rehearsed[];
}

/** Does the work of a list with several hands; the results in its order. */
export async function share<T, R>(hands: readonly Hand[], list: readonly T[], work: (hand: Hand, item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  await Promise.all(hands.map(async (hand) => {
    for (let i = next++; i < list.length; i = next++) results[i] = await work(hand, list[i] as T, i);
  }));
  return results;
}

/** Runs trials without a mutant, each once. */
export async function rehearse(hands: readonly Hand[], trials: readonly Trial[]): Promise<Rehearsed[]> {
  return share(hands, trials, async (hand, trial) => {
    const { outcomes } = await hand.do({ mutant: null, trials: [{ trial, outcome: null }] });
    const last = outcomes.at(-1);
    if (last === undefined || last.outcome === 'loaded') throw new Error(`Cannot rehearse ${trial.name}: it gave no outcome`);
    return { trial, ...last };
  });
}

/** Runs every trial without a mutant; a fault that the clauses it concerns do not show when they run alone, with all. */
export async function rehearseAll(hands: readonly Hand[], loaded: Uint32Array, say: (line: string) => void): Promise<Rehearsal> {
  const group = async (what: string, trials: readonly Trial[]): Promise<Rehearsed[]> => {
    const done = await rehearse(hands, trials);
    say(`${done.length} trials with ${what}: ${(done.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(0)} s`);
    return done;
  };
  const plain = await group('the plain deployment', plainTrials());
  const again = await group('the same, once more', plainTrials());
  const unsteady = again.filter(({ outcome }, i) => outcome !== plain[i]?.outcome).map(({ trial }) => trial.name);
  if (unsteady.length > 0) throw new Error(`Cannot tell mutants: two runs differ in ${unsteady.join(', ')}`);
  const alone = await group('a fault each', faultTrials());
  const hidden = alone.filter(({ outcome }) => !showsFault(outcome)).map(({ trial }) => ({ ...trial, clauses: null }));
  const whole = new Map((await group('a fault each and all clauses', hidden)).map((one) => [one.trial.name, one]));
  return {
    atLoad: loaded, plain, faults: alone.map((one) => whole.get(one.trial.name) ?? one),
    choices: await group('a choice each', choiceTrials()), others: await group('absurd servers and lesser settings', [...absurdTrials(), ...settingsTrials()]),
  };
}

/** Whether any trial passes the place of one of the mutants. */
export const passes = ({ hits }: Rehearsed, mutants: readonly Mutant[]): boolean => mutants.some(({ number }) => (hits[number] ?? 0) > 0);
