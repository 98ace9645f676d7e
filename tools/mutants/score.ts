import type { Mutant, Tree } from './instrument.ts';
import { type Reason, reasons } from './left-out.ts';
import { type Runner, share } from './runner.ts';
import type { Trial } from './trials.ts';

/** A trial without a mutant: its outcome, and the mutants' places that it executed. */
interface Known {
  readonly trial: Trial;
  readonly outcome: string;
  /** 1 at the numbers of the mutants whose places were executed. */
  readonly passed: Uint8Array;
  readonly cpuMs: number;
}

/** The results for all mutants. */
interface Score {
  /** How many mutants' places trials execute. All of these mutants were run, or a sample. */
  readonly covered: number;
  readonly killed: number;
  readonly survivors: readonly Mutant[];
  /** How many were not run, by reason. */
  readonly leftOut: Readonly<Partial<Record<Reason, number>>>;
}

/** The most CPU time that the trials of one mutant may take together, in ms. */
const budgetMs = 6_000;

/** Places within this many lines of a mutant are considered related to it. */
const near = 10;

/**
 * Returns a function that gives the trials for a mutant, within the budget: those that execute its place, most likely
 * to notice it first. These are cheap trials that also execute related places which few other trials execute.
 */
function trialChooser(mutants: readonly Mutant[], known: readonly Known[]): (mutant: Mutant) => readonly Known[] {
  const byFile = Map.groupBy(mutants, ({ file }) => file);
  const rarity = new Map(
    mutants.map(({ number }) => [number, 1 / Math.max(1, known.filter(({ passed }) => passed[number] === 1).length)]),
  );
  return (mutant) => {
    const related = (byFile.get(mutant.file) ?? []).filter(({ line }) => Math.abs(line - mutant.line) <= near);
    const weigh = ({ passed, cpuMs }: Known): number =>
      related.reduce((sum, { number }) => sum + (passed[number] === 1 ? (rarity.get(number) ?? 0) : 0), 0) / cpuMs;
    let spent = 0;
    return known
      .filter(({ passed }) => passed[mutant.number] === 1)
      .map((one) => ({ one, weight: weigh(one) }))
      .sort((a, b) => b.weight - a.weight)
      .map(({ one }) => one)
      .filter(({ cpuMs }) => {
        spent += cpuMs;
        return spent <= budgetMs;
      });
  };
}

/**
 * Runs each mutant, or every nth, until a trial has another outcome than without it. `say` gets the progress.
 */
export async function scoreOf(
  { mutants }: Tree,
  trials: readonly Trial[],
  runners: readonly Runner[],
  { every = 1, say }: { readonly every?: number; readonly say: (line: string) => void },
): Promise<Score> {
  const [atLoad] = await Promise.all(runners.map((runner) => runner.load()));
  const known = await share(runners, trials, async (runner, trial): Promise<Known> => {
    const { outcome, passed, cpuMs } = await runner.run({ trial, mutant: null });
    return { trial, outcome, passed, cpuMs };
  });
  say(`${known.length} trials without a mutant`);
  const trialsFor = trialChooser(mutants, known);

  const reasonOf = ({ leftOut, number }: Mutant): Reason | undefined => {
    if (leftOut !== undefined) {
      return leftOut;
    }
    if (atLoad?.[number] === 1) {
      return 'loading';
    }
    return known.some(({ passed }) => passed[number] === 1) ? undefined : 'uncovered';
  };
  const byReason = Map.groupBy(mutants, reasonOf);
  const covered = byReason.get(undefined) ?? [];
  const run = covered.filter((_, index) => index % every === 0);
  say(`${run.length} of ${mutants.length} mutants are run`);

  let done = 0;
  const survives = await share(runners, run, async (runner, mutant) => {
    done += 1;
    if (done % 250 === 0) {
      say(`${done} of ${run.length}`);
    }
    for (const { trial, outcome } of trialsFor(mutant)) {
      if ((await runner.run({ trial, mutant: mutant.number })).outcome !== outcome) {
        return false;
      }
    }
    return true;
  });
  return {
    covered: covered.length,
    killed: survives.filter((alive) => !alive).length,
    survivors: run.filter((_, index) => survives[index]),
    leftOut: Object.fromEntries([...byReason].flatMap(([reason, all]) => (reason ? [[reason, all.length]] : []))),
  };
}

const share1000 = (part: number, of: number): string => `${of === 0 ? 0 : Math.floor((part / of) * 1000) / 10} %`;

/** The score as lines of text, then the survivors by file. */
export function scoreText({ covered, killed, survivors, leftOut }: Score): string {
  const run = killed + survivors.length;
  const others = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100);
  const sample = run < covered ? ` (a sample of ${covered})` : '';
  return [
    `${share1000(killed, run)} of ${run} mutants${sample} killed (${killed}); ${survivors.length} survive.`,
    `${others} more were left out (${share1000(others, covered + others)} of all):`,
    ...Object.entries(leftOut).map(([reason, count]) => `  ${count}: ${reasons[reason as Reason]}`),
    '',
    ...survivors.map(
      ({ file, line, original, replacement }) => `${file}:${line} ${oneLine(original)} → ${oneLine(replacement)}`,
    ),
    '',
  ].join('\n');
}
