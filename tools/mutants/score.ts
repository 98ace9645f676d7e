import type { Runner } from './runner.ts';
import type { Mutant, Tree } from './tree.ts';
import type { Trial } from './trials.ts';
import type { Told } from './worker.ts';

/** A trial, and what it showed without a mutant. */
type Known = Told & { readonly trial: Trial };

/** The results for all mutants. */
interface Score {
  readonly killed: number;
  readonly survivors: readonly Mutant[];
  /** How many mutants' places trials execute. All of these were run, or a sample. */
  readonly covered: number;
  /** How many were not run: they change words alone, are executed before they can be switched on, or by no trial. */
  readonly leftOut: Readonly<Record<'words' | 'loading' | 'uncovered', number>>;
}

/** The most CPU time that the trials of one mutant may take together, in ms. */
const budgetMs = 6_000;

/** The trials that execute a mutant's place, within the budget: those first that execute little else. */
function trialsFor(known: readonly Known[], { number }: Mutant): readonly Known[] {
  let spent = 0;
  return known
    .filter(({ passed }) => passed.has(number))
    .sort((a, b) => a.passed.size * a.cpuMs - b.passed.size * b.cpuMs)
    .filter(({ cpuMs }) => {
      spent += cpuMs;
      return spent <= budgetMs;
    });
}

/** Processes a list with several runners. Gives the results in the order of the list. */
async function share<T, R>(
  runners: readonly Runner[],
  list: readonly T[],
  work: (runner: Runner, item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  await Promise.all(
    runners.map(async (runner) => {
      for (let index = next++; index < list.length; index = next++) {
        results[index] = await work(runner, list[index] as T);
      }
    }),
  );
  return results;
}

/** Runs each mutant, or every nth, until a trial has another outcome than without it. `say` gets the progress. */
export async function scoreOf(
  { mutants }: Tree,
  trials: readonly Trial[],
  runners: readonly Runner[],
  { every = 1, say }: { readonly every?: number; readonly say: (line: string) => void },
): Promise<Score> {
  const [atLoad = new Set()] = await Promise.all(runners.map((runner) => runner.load()));
  const known = await share(runners, trials, async (runner, trial): Promise<Known> => {
    const told = await runner.run({ trial, mutant: null });
    return { ...told, trial };
  });
  const groups = Map.groupBy(mutants, ({ isOfWords, number }) => {
    const isCovered = known.some(({ passed }) => passed.has(number));
    return isOfWords ? 'words' : atLoad.has(number) ? 'loading' : isCovered ? 'covered' : 'uncovered';
  });
  const countOf = (name: 'words' | 'loading' | 'uncovered'): number => groups.get(name)?.length ?? 0;
  const covered = groups.get('covered') ?? [];
  const run = covered.filter((_, index) => index % every === 0);
  say(`${known.length} trials without a mutant; ${run.length} of ${mutants.length} mutants are run`);
  const survives = await share(runners, run, async (runner, mutant) => {
    for (const { trial, outcome } of trialsFor(known, mutant)) {
      if ((await runner.run({ trial, mutant: mutant.number })).outcome !== outcome) {
        return false;
      }
    }
    say(`survives: ${lineOf(mutant)}`);
    return true;
  });
  const survivors = run.filter((_, index) => survives[index]);
  return {
    killed: run.length - survivors.length,
    survivors,
    covered: covered.length,
    leftOut: { words: countOf('words'), loading: countOf('loading'), uncovered: countOf('uncovered') },
  };
}

const lineOf = ({ file, line, original, replacement }: Mutant): string =>
  `${file}:${line} ${[original, replacement].map((text) => text.replace(/\s+/g, ' ').slice(0, 100)).join(' → ')}`;

/** The score in two lines, then the survivors by file. */
export function scoreText({ covered, killed, survivors, leftOut }: Score): string {
  const run = killed + survivors.length;
  const share = run === 0 ? 0 : Math.floor((killed / run) * 1000) / 10;
  const { words, loading, uncovered } = leftOut;
  return [
    `${share} % of ${run} mutants${run < covered ? ` (a sample of ${covered})` : ''} killed (${killed}); ${survivors.length} survive.`,
    `${words + loading + uncovered} more were left out: ${words} of words, ${loading} while modules load, ${uncovered} that no trial executes.`,
    '',
    ...survivors.map(lineOf),
    '',
  ].join('\n');
}
