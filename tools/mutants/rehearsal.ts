import type { Api } from '../../contract/clause.ts';
import { clauseOf } from '../../contract/clauses.ts';
import type { Mutant } from './instrument.ts';
import type { Hand } from './pool.ts';
import {
  absurdTrials,
  choiceTrials,
  clockTrials,
  faultTrials,
  fittingTrials,
  lossyTrials,
  ownTrials,
  plainTrials,
  readingTrials,
  settingsTrials,
  showsFault,
  type Trial,
  tellingTrials,
} from './trial.ts';

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
  /** What is read out of samples. */
  readonly readings: readonly Rehearsed[];
  readonly plain: readonly Rehearsed[];
  readonly faults: readonly Rehearsed[];
  readonly choices: readonly Rehearsed[];
  /** The plain deployment, with the clauses that the choices of its API are run with. */
  readonly usual: readonly Rehearsed[];
  /** Runs that may do less, networks that lose answers, and servers that no document describes. */
  readonly others: readonly Rehearsed[];
}

/** Does the work of a list with several hands; the results in its order. */
export async function share<T, R>(
  hands: readonly Hand[],
  list: readonly T[],
  work: (hand: Hand, item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  await Promise.all(
    hands.map(async (hand) => {
      for (let i = next++; i < list.length; i = next++) {
        results[i] = await work(hand, list[i] as T, i);
      }
    }),
  );
  return results;
}

/** Runs trials without a mutant, each once. */
export async function rehearse(hands: readonly Hand[], trials: readonly Trial[]): Promise<Rehearsed[]> {
  return share(hands, trials, async (hand, trial) => {
    const { outcomes } = await hand.do({ mutant: null, trials: [{ trial, outcome: null }] });
    const last = outcomes.at(-1);
    if (last === undefined || last.outcome === 'loaded') {
      throw new Error(`Cannot rehearse ${trial.name}: it gave no outcome`);
    }
    return { trial, ...last };
  });
}

/** Clauses above which a run judges all of its API. */
export const mostClauses = 25;

/** The clauses of an API whose plain runs pass the place of a mutant; null: nearly all do, or one that judges what all the others call. */
export function clausesPassing(
  plain: readonly Rehearsed[],
  api: Api,
  mutants: readonly Mutant[],
): readonly string[] | null {
  const passing = plain
    .filter(({ trial }) => trial.api === api && trial.clauses !== null)
    .filter((one) => passes(one, mutants));
  const clauses = passing.flatMap(({ trial }) => trial.clauses ?? []);
  return clauses.length > mostClauses || clauses.some((id) => clauseOf(id).everyResponse) ? null : clauses;
}

/** Runs without a mutant all that may tell one; a fault that the clauses it concerns do not show when they run alone, with all. */
export async function rehearseAll(
  hands: readonly Hand[],
  mutants: readonly Mutant[],
  atLoad: Uint32Array,
  say: (line: string) => void,
): Promise<Rehearsal> {
  const group = async (what: string, trials: readonly Trial[]): Promise<Rehearsed[]> => {
    const done = await rehearse(hands, trials);
    say(`${done.length} trials with ${what}: ${(done.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(0)} s`);
    return done;
  };
  const plain = await group('the plain deployment', plainTrials());
  const again = await group(
    'the same, whole, once more',
    plainTrials().filter(({ clauses }) => clauses === null),
  );
  const unsteady = again
    .filter(({ trial, outcome }) => outcome !== plain.find((one) => one.trial.name === trial.name)?.outcome)
    .map(({ trial }) => trial.name);
  if (unsteady.length > 0) {
    throw new Error(`Cannot tell mutants: two runs differ in ${unsteady.join(', ')}`);
  }
  const concerns = (trial: Trial): boolean => plain.some((one) => one.trial.api === trial.api && passes(one, mutants));
  const narrowed = (trial: Trial): Trial => {
    const clauses = clausesPassing(plain, trial.api, mutants);
    return { ...trial, clauses: clauses?.length === 0 ? null : clauses };
  };
  const single = await group('a fault each', faultTrials().filter(concerns));
  const hidden = new Map(
    single
      .filter(({ trial, outcome }) => !showsFault(trial, outcome))
      .map(({ trial }) => [trial.fault, { ...trial, name: `fault ${trial.fault}: all`, clauses: null }]),
  );
  const whole = await group('a fault each and all clauses', [...hidden.values()]);
  return {
    atLoad,
    readings: await group('samples', readingTrials()),
    plain,
    faults: [...single.filter(({ trial, outcome }) => showsFault(trial, outcome)), ...whole],
    usual: await group(
      'the clauses that the choices are run with',
      plainTrials()
        .filter(({ clauses }) => clauses === null)
        .map(narrowed),
    ),
    choices: await group('choices together', choiceTrials().filter(concerns).map(narrowed)),
    others: await group(
      'clocks that are off, lost answers, deployments of some choice, settings, own bodies, absurd servers',
      [
        ...clockTrials(),
        ...tellingTrials(),
        ...lossyTrials(),
        ...ownTrials(),
        ...settingsTrials(),
        ...fittingTrials(),
        ...absurdTrials(),
      ].filter(concerns),
    ),
  };
}

/** Whether any trial passes the place of one of the mutants. */
export const passes = ({ hits }: Rehearsed, mutants: readonly Mutant[]): boolean =>
  mutants.some(({ number }) => (hits[number] ?? 0) > 0);
